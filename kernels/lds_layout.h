/* How an instance uses LDS: sizes and swizzle, in one place for the kernels (constants) and for the host, which
 * has to know what fits before anything is compiled. Plain C and constant expressions of C++; no includes.
 *
 * Main loop: a tile of A (tile_m rows) and behind it one of B (tile_n rows); a row holds tile_k elements.
 * Epilogue: reuses the same bytes for strips of the output tile, one strip after the other.
 * Rows are not padded (a 128x128x64 fp32 pair of tiles fills 64 KiB exactly): the bytes of a row are permuted
 * by an exclusive or instead, see ckt_lds_swizzle. */
#ifndef CKT_KERNELS_LDS_LAYOUT_H
#define CKT_KERNELS_LDS_LAYOUT_H

#ifdef __cplusplus
#define CKT_LDS_FUNCTION constexpr
#else
#define CKT_LDS_FUNCTION static inline
#endif

/* Every member is between 1 and 65536 (the caller's business), so that no product below overflows. */
struct ckt_lds_shape {
  long long tile_m, tile_n, tile_k;
  long long warps_m, warps_n;
  long long warp_tile_m, warp_tile_n;
  long long element_bytes;
  long long buffers; /* copies of the main loop's tiles: 2 with a double LDS buffer, else 1 */
};

/* The banks of LDS together: 32 banks of 4 bytes (CDNA ISA guides, "Local Data Share"). */
#define CKT_LDS_BANK_BYTES 128

CKT_LDS_FUNCTION long long ckt_lds_main_bytes(struct ckt_lds_shape shape) {
  return (shape.tile_m + shape.tile_n) * shape.tile_k * shape.element_bytes * shape.buffers;
}

/* One strip: the rows that one matrix-core tile a wave covers, and `repeats` such tiles along N. */
CKT_LDS_FUNCTION long long ckt_lds_strip_bytes(struct ckt_lds_shape shape, long long repeats) {
  return shape.warps_m * shape.warp_tile_m * shape.warps_n * shape.warp_tile_n * repeats *
         shape.element_bytes;
}

/* Matrix-core tiles along N a wave puts into one strip: as many as need no more LDS than the main loop
 * (fewer strips, fewer barriers, longer rows to store), but at least one. Divides the tiles a wave has. */
CKT_LDS_FUNCTION long long ckt_lds_strip_repeats(struct ckt_lds_shape shape) {
  const long long all = shape.tile_n / (shape.warps_n * shape.warp_tile_n);
  long long repeats = all > 0 ? all : 1;
  while (repeats > 1 &&
         (all % repeats != 0 || ckt_lds_strip_bytes(shape, repeats) > ckt_lds_main_bytes(shape)))
    --repeats;
  return repeats;
}

/* What the kernel declares. */
CKT_LDS_FUNCTION long long ckt_lds_bytes(struct ckt_lds_shape shape) {
  const long long loop = ckt_lds_main_bytes(shape);
  const long long strip = ckt_lds_strip_bytes(shape, ckt_lds_strip_repeats(shape));
  return loop > strip ? loop : strip;
}

/* Number of granules that the exclusive or may reach: the largest power of two that divides the granules of a
 * row, at most all granules that fit the banks. A power of two that divides the row keeps every address
 * inside its row. */
CKT_LDS_FUNCTION long long ckt_lds_swizzle_span(long long row_bytes, long long granule) {
  const long long granules = row_bytes / granule;
  const long long power = granules & -granules;
  const long long limit = CKT_LDS_BANK_BYTES / granule;
  return row_bytes % granule != 0 ? 1 : (power < limit ? power : limit);
}

/* What to exclusive-or onto a byte offset inside `row`. Lanes of a wave read the same columns of consecutive
 * rows: without it, every row (or every second one, if two fill the banks) would meet the same banks. The
 * pattern repeats after at most 128 / granule rows. */
CKT_LDS_FUNCTION unsigned ckt_lds_swizzle(unsigned row, long long row_bytes, long long granule) {
  const unsigned rows = row_bytes < CKT_LDS_BANK_BYTES ? (unsigned)(CKT_LDS_BANK_BYTES / row_bytes) : 1u;
  return (row / rows % (unsigned)ckt_lds_swizzle_span(row_bytes, granule)) * (unsigned)granule;
}

#endif
