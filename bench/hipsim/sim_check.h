/* Strict checks of what a wave does with its registers and with global memory: reads of what was never written,
 * reads ahead of the s_waitcnt that a load needs, wait states that hardware does not insert, races through memory.
 *
 * Every register has a byte of state. Almost always the bytes of all registers of an instruction are zero, and then
 * there is nothing to look at; each check marks the registers it cares about and looks closer only at those. */
#ifndef SIM_CHECK_H
#define SIM_CHECK_H

#include "bench/hipsim/sim_lds.h"
#include "bench/hipsim/sim_operands.h"
#include "bench/hipsim/sim_wave.h"

/* State of a register: what is special about it. */
enum {
  SIM_REG_UNDEFINED = 1, /* some lanes, or bits of a scalar, were never given a value */
  SIM_REG_VM = 2,        /* a vector memory load that vmcnt counts may still write it */
  SIM_REG_LGKM = 4,      /* the same for lgkmcnt */
  SIM_REG_WRITTEN = 8,   /* written by an instruction whose result some others must wait for */
  SIM_REG_READ = 16,     /* read by an instruction that some others must not overtake with a write */
};

enum {
  SIM_REGS = 768, /* numbered as operands are; what is no register stays zero */
  SIM_SCALARS = 256,
  SIM_MOST_PENDING = 64, /* loads in flight per counter: what the counters can count */
};

/* What the checks know of an instruction beside its operands. */
enum {
  SIM_TRAIT_VALU = 1,   /* vector ALU, but no matrix instruction */
  SIM_TRAIT_MATRIX = 2, /* MFMA */
  SIM_TRAIT_F64 = 4,    /* MFMA on f64 */
  SIM_TRAIT_XDL = 8,    /* MFMA on the XDL path of gfx942 and later */
  SIM_TRAIT_VMEM = 16,  /* MUBUF, GLOBAL, FLAT, SCRATCH */
  SIM_TRAIT_LDS = 32,   /* DS */
  SIM_TRAIT_SMEM = 64,
  SIM_TRAIT_FLAT = 128, /* counted by both counters */
  SIM_TRAIT_DPP = 256,
  SIM_TRAIT_DOT = 512,
  SIM_TRAIT_TRANS = 1024, /* transcendental */
  SIM_TRAIT_HALF = 2048,  /* writes a half or byte of a dword by SDWA or op_sel */
  SIM_TRAIT_SALU = 4096,
  SIM_TRAIT_CONSULT = 8192, /* must wait for plain vector results too */
  SIM_TRAIT_WAITCNT = 1 << 14,
  SIM_TRAIT_STORE = 1 << 15, /* its data reach memory or LDS */
  SIM_TRAIT_BRANCH = 1 << 16,
  SIM_TRAIT_LOUD = 1 << 17,    /* its vector result has readers that must wait: mark it WRITTEN */
  SIM_TRAIT_PRIVATE = 1 << 18, /* scratch: spills move whatever a register holds */
  SIM_TRAIT_HOLD = 1 << 19,    /* keeps reading a source after issue: mark that READ */
  SIM_TRAIT_TO_LDS = 1 << 20,  /* a load that goes to LDS, at M0 */
  SIM_TRAIT_WEDGE = 1 << 21,   /* some must keep a distance to it, whatever registers they use */
  SIM_TRAIT_NEAR = 1 << 22,    /* one of those */
  SIM_TRAIT_FMA64 = 1 << 23,   /* v_fma_f64, v_fmac_f64 */
};

struct sim_check_entry {
  const struct sim_inst *inst; /* NULL: not looked at yet */
  uint32_t traits;
  uint8_t passes;  /* MFMA */
  uint8_t pending; /* SIM_REG_VM, SIM_REG_LGKM: what its destination waits for */
  uint8_t bytes;   /* of global memory that a lane loads or stores; 0: none, or an atomic */
  struct sim_operands operands;
};

/* Loads in flight, oldest first. */
struct sim_check_queue {
  uint32_t count;
  uint32_t disordered; /* how many of them may overtake others: scalar loads, flat ones */
  struct sim_check_load {
    uint16_t first;
    uint8_t dwords, bits;
    bool disordered;
    uint32_t serial;
  } load[SIM_MOST_PENDING];
};

struct sim_check_wave {
  uint8_t state[SIM_REGS + 64]; /* slack: ranges are read in words */
  uint32_t when[SIM_REGS + 64]; /* clock of the last write */
  const struct sim_check_entry *writer[SIM_REGS + 64];
  uint64_t defined[512 + 64];      /* lanes of vector registers that hold a value */
  uint32_t undefined[SIM_SCALARS]; /* bits of scalar registers that do not */
  uint32_t read_when[512 + 64];
  const struct sim_check_entry *reader[512 + 64];
  uint32_t serial[SIM_REGS + 64]; /* of the load that writes it last */
  uint32_t serials;
  uint32_t clock; /* wait states that went by */
  uint32_t setreg_when[64];
  uint32_t wedge_when; /* of the last SIM_TRAIT_WEDGE */
  const struct sim_check_entry *wedge;
  uint64_t before[3]; /* values ahead of the instruction: first and second source when scalar, EXEC */
  struct sim_check_queue vm, lgkm;
};

struct sim_race; /* sim_check_race.c */

/* Of a workgroup; its waves' registers are `wave`. */
struct sim_check {
  enum sim_arch arch;
  uint32_t waves;
  const struct sim_code *code;
  struct sim_check_entry *entry; /* one a dword of code */
  struct sim_check_wave *wave;
  struct sim_race *race;
};

/* NULL: memory ran out. */
struct sim_check *sim_check_create(const struct sim_code *code, enum sim_arch arch, uint32_t waves);
void sim_check_free(struct sim_check *check);
/* A new workgroup. */
void sim_check_reset(struct sim_check *check);
/* A wave whose first registers have been set: the scalars from 0 to `user`, from `system` to `system_end`, and `ids`
 * vector registers. */
void sim_check_start(struct sim_check *check, const struct sim_wave *w, uint32_t user, uint32_t system,
                     uint32_t system_end, uint32_t ids);
/* All waves have met at a barrier. */
void sim_check_barrier(struct sim_check *check);

/* Runs up to `count` instructions of a wave, as the run functions of sim_wave.h do, and checks each. */
void sim_check_run(struct sim_wave *w, uint64_t count);
/* Runs and checks one instruction that is not in the code as it stands: `inst` with its registers indexed. */
void sim_check_run_one(struct sim_wave *w, const struct sim_inst *inst);

/* ---- between the files of the checks ---- */

static inline struct sim_check_wave *sim_check_of(const struct sim_wave *w) {
  return &w->check->wave[w->number];
}

/* "v12", "a[4:7]"-style name of one register. */
void sim_check_name(unsigned reg, char text[16]);

/* Each looks closer at an instruction some of whose registers are special. False: faulted. */
void sim_check_note_sources(struct sim_wave *w, const struct sim_check_entry *e);
bool sim_check_defined_before(struct sim_wave *w, const struct sim_check_entry *e);
void sim_check_defined_after(struct sim_wave *w, const struct sim_check_entry *e);
bool sim_check_loads_before(struct sim_wave *w, const struct sim_check_entry *e);
bool sim_check_hazard_before(struct sim_wave *w, const struct sim_check_entry *e, unsigned special);
/* A SIM_TRAIT_NEAR instruction, `waited` < SIM_NEAR wait states behind a SIM_TRAIT_WEDGE. */
enum { SIM_NEAR = 2 };
bool sim_check_hazard_near(struct sim_wave *w, const struct sim_check_entry *e, uint32_t waited);

/* Scalar memory and loads to LDS: the low bits of an address that hardware drops. */
bool sim_check_alignment(struct sim_wave *w, const struct sim_check_entry *e);

/* Bookkeeping of loads: an instruction that starts one, and s_waitcnt. */
void sim_check_loads_start(struct sim_wave *w, const struct sim_check_entry *e);
void sim_check_loads_wait(struct sim_wave *w, uint32_t counts);

/* Races between the waves of a workgroup, through global memory. Called before the access. False: faulted. */
struct sim_race *sim_race_create(uint32_t waves);
void sim_race_free(struct sim_race *race);
void sim_race_reset(struct sim_race *race);
bool sim_race_access(struct sim_wave *w, const struct sim_check_entry *e);

#endif
