#include "bench/hipsim/sim_memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { GRANULE_BITS = 16, PAGE = 4096 };
#define GRANULE ((uint64_t)1 << GRANULE_BITS)
/* Address space beyond what can be live at once, so that freed addresses rest before they are used again. */
#define ARENA_SLACK ((uint64_t)64 << 30)
#define RECORDS     ((uint32_t)1 << 20)

/* A span and its place in the tables. A block of several parts is a chain of records. */
struct record {
  struct sim_span span;
  uint32_t next; /* the block's next part; 0: none */
  uint32_t head; /* the block's first part: itself when it is the first */
  /* Of the block, in its head only. The guard granule is not counted. */
  uint64_t first_granule, granules, bytes;
};

struct sim_memory {
  void *reserved;      /* what the system gave */
  uint64_t base, size; /* the arena in it, on a granule's boundary */
  uint64_t capacity, used;
  uint32_t *granule;      /* head record of the block that holds a granule; 0: none */
  struct record *records; /* records[0] is not used */
  uint32_t record_count;  /* records ever handed out, plus one */
  uint32_t spare;         /* chain of records to hand out again */
  uint32_t next_id;
  uint64_t cursor; /* granule where the next search begins */
};

static void *reserve(uint64_t bytes, int protection) {
  void *address = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return address == MAP_FAILED ? NULL : address;
}

static uint64_t round_up(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

struct sim_memory *sim_memory_create(uint64_t capacity) {
  struct sim_memory *memory = calloc(1, sizeof *memory);
  if (memory == NULL)
    return NULL;
  if (capacity > (uint64_t)1 << 44)
    capacity = (uint64_t)1 << 44;
  memory->capacity = capacity;
  memory->size = round_up(capacity * 2 + ARENA_SLACK, GRANULE);
  memory->granule = reserve(memory->size / GRANULE * sizeof *memory->granule, PROT_READ | PROT_WRITE);
  memory->records = reserve(RECORDS * sizeof *memory->records, PROT_READ | PROT_WRITE);
  memory->reserved = reserve(memory->size + GRANULE, PROT_NONE);
  memory->base = round_up((uint64_t)(uintptr_t)memory->reserved, GRANULE);
  memory->record_count = 1;
  memory->next_id = 1;
  memory->cursor = 1;
  if (memory->granule == NULL || memory->records == NULL || memory->reserved == NULL)
    sim_memory_free(&memory);
  return memory;
}

void sim_memory_free(struct sim_memory **memory) {
  struct sim_memory *m = *memory;
  *memory = NULL;
  if (m == NULL)
    return;
  if (m->granule != NULL)
    munmap(m->granule, m->size / GRANULE * sizeof *m->granule);
  if (m->records != NULL)
    munmap(m->records, RECORDS * sizeof *m->records);
  if (m->reserved != NULL)
    munmap(m->reserved, m->size + GRANULE);
  free(m);
}

uint64_t sim_memory_capacity(const struct sim_memory *memory) {
  return memory->capacity;
}

uint64_t sim_memory_used(const struct sim_memory *memory) {
  return memory->used;
}

bool sim_memory_inside(const struct sim_memory *memory, uint64_t address) {
  return address - memory->base < memory->size;
}

/* ---- records ---- */

static uint32_t take_record(struct sim_memory *memory) {
  uint32_t index = memory->spare;
  if (index != 0)
    memory->spare = memory->records[index].next;
  else if (memory->record_count < RECORDS)
    index = memory->record_count++;
  if (index != 0)
    memset(&memory->records[index], 0, sizeof memory->records[index]);
  return index;
}

static void give_records(struct sim_memory *memory, uint32_t head) {
  while (head != 0) {
    const uint32_t next = memory->records[head].next;
    memory->records[head].next = memory->spare;
    memory->records[head].head = 0;
    memory->spare = head;
    head = next;
  }
}

/* A chain for the parts, in order; 0 when records ran out. */
static uint32_t chain_parts(struct sim_memory *memory, const struct sim_part *parts, size_t count) {
  uint32_t head = 0, last = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t index = take_record(memory);
    if (index == 0) {
      give_records(memory, head);
      return 0;
    }
    struct record *record = &memory->records[index];
    record->span = (struct sim_span){.begin = parts[i].offset,
                                     .end = parts[i].offset + parts[i].bytes,
                                     .id = memory->next_id,
                                     .kind = (uint8_t)parts[i].kind,
                                     .writable = parts[i].writable};
    if (head == 0)
      head = index;
    else
      memory->records[last].next = index;
    record->head = head;
    last = index;
  }
  return head;
}

/* ---- placing ---- */

static bool is_live(const struct sim_memory *memory, uint32_t head) {
  return head != 0 && memory->records[head].span.kind != SIM_SPAN_FREE;
}

/* Forgets what was freed in a run of granules that is about to be used again. */
static void forget(struct sim_memory *memory, uint64_t first, uint64_t count) {
  for (uint64_t g = first; g < first + count; ++g) {
    const uint32_t head = memory->granule[g];
    if (head == 0)
      continue;
    const struct record *record = &memory->records[head];
    memset(&memory->granule[record->first_granule], 0, record->granules * sizeof *memory->granule);
    give_records(memory, head);
  }
}

/* First granule of a run of `count` with no live block in it, from `from` on; 0: none. Granule 0 stays free. */
static uint64_t find_run(const struct sim_memory *memory, uint64_t from, uint64_t count) {
  const uint64_t total = memory->size / GRANULE;
  uint64_t first = from;
  for (uint64_t g = from; g < total; ++g) {
    const uint32_t head = memory->granule[g];
    if (is_live(memory, head)) {
      /* The granule after a live block is its red zone. */
      g = memory->records[head].first_granule + memory->records[head].granules;
      first = g + 1;
    } else if (g - first + 1 == count)
      return first;
  }
  return 0;
}

/* A run of `count` granules and a free one behind it. */
static uint64_t place(struct sim_memory *memory, uint64_t count) {
  uint64_t first = find_run(memory, memory->cursor, count + 1);
  if (first == 0)
    first = find_run(memory, 1, count + 1);
  if (first != 0) {
    forget(memory, first, count + 1);
    memory->cursor = first + count + 1;
  }
  return first;
}

static uint64_t block_pages(uint64_t bytes) {
  return round_up(bytes, PAGE);
}

uint64_t sim_memory_allocate_parts(struct sim_memory *memory, uint64_t bytes, const struct sim_part *parts,
                                   size_t count) {
  if (bytes == 0 || count == 0 || count > SIM_PARTS_MAX || bytes > memory->capacity ||
      block_pages(bytes) > memory->capacity - memory->used)
    return 0;
  const uint64_t granules = round_up(bytes, GRANULE) / GRANULE;
  const uint64_t first = place(memory, granules);
  if (first == 0)
    return 0;
  const uint64_t address = memory->base + first * GRANULE;
  const uint32_t head = chain_parts(memory, parts, count);
  if (head == 0)
    return 0;
  if (mprotect((void *)(uintptr_t)address, block_pages(bytes), PROT_READ | PROT_WRITE) != 0) {
    give_records(memory, head);
    return 0;
  }
  for (uint32_t i = head; i != 0; i = memory->records[i].next) {
    memory->records[i].span.begin += address;
    memory->records[i].span.end += address;
  }
  memory->records[head].first_granule = first;
  memory->records[head].granules = granules;
  memory->records[head].bytes = bytes;
  for (uint64_t g = 0; g < granules; ++g)
    memory->granule[first + g] = head;
  memory->used += block_pages(bytes);
  ++memory->next_id;
  return address;
}

uint64_t sim_memory_allocate(struct sim_memory *memory, uint64_t bytes, enum sim_span_kind kind,
                             bool writable) {
  const struct sim_part whole = {.offset = 0, .bytes = bytes, .kind = kind, .writable = writable};
  const uint64_t address = sim_memory_allocate_parts(memory, bytes, &whole, 1);
  if (address != 0 && kind == SIM_SPAN_BUFFER && bytes <= SIM_MEMORY_POISON_LIMIT)
    memset((void *)(uintptr_t)address, SIM_MEMORY_POISON, bytes);
  return address;
}

static uint32_t head_at(const struct sim_memory *memory, uint64_t address) {
  const uint64_t offset = address - memory->base;
  return offset < memory->size ? memory->granule[offset >> GRANULE_BITS] : 0;
}

int sim_memory_release(struct sim_memory *memory, uint64_t address) {
  const uint32_t head = head_at(memory, address);
  if (!is_live(memory, head))
    return -1;
  const struct record *record = &memory->records[head];
  if (memory->base + record->first_granule * GRANULE != address)
    return -1;
  for (uint32_t i = head; i != 0; i = memory->records[i].next)
    memory->records[i].span.kind = SIM_SPAN_FREE;
  const uint64_t pages = block_pages(record->bytes);
  memory->used -= pages;
  /* A fresh mapping in its place gives the memory back and joins its neighbours'. If the system refuses, the
   * pages stay, out of every span. */
  const void *fresh = mmap((void *)(uintptr_t)address, pages, PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  (void)fresh;
  return 0;
}

/* ---- looking up ---- */

const struct sim_span *sim_memory_span(const struct sim_memory *memory, uint64_t address) {
  for (uint32_t i = head_at(memory, address); i != 0; i = memory->records[i].next) {
    const struct sim_span *span = &memory->records[i].span;
    if (address - span->begin < span->end - span->begin)
      return span->kind != SIM_SPAN_FREE ? span : NULL;
  }
  return NULL;
}

static uint64_t distance(const struct sim_span *span, uint64_t address) {
  if (address < span->begin)
    return span->begin - address;
  return address < span->end ? 0 : address - span->end + 1;
}

/* Freed spans count only when they hold the address: nearness to one that is gone explains nothing. */
const struct sim_span *sim_memory_nearest(const struct sim_memory *memory, uint64_t address) {
  const struct sim_span *best = NULL;
  for (uint32_t i = 1; i < memory->record_count; ++i) {
    const struct sim_span *span = &memory->records[i].span;
    if (memory->records[i].head == 0 || (span->kind == SIM_SPAN_FREE && distance(span, address) != 0))
      continue;
    if (best == NULL || distance(span, address) < distance(best, address))
      best = span;
  }
  return best;
}
