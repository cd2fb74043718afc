#!/usr/bin/env bash
# Seeds for the targets that read code objects, from kernels compiled now: code_seeds.sh BIN TARGET FOLDER [ARCH...]
#
#   sim_elf, sim_module: code objects    sim_metadata: their kernel metadata    sim_decode, sim_run: their instructions
#
# BIN holds hipsim_compile_source. Exit status 77: there is no compiler of device code.
set -euo pipefail
tests=$(cd "$(dirname "$0")/.." && pwd)
bin=$1 target=$2 folder=$3
shift 3
[ $# -gt 0 ] || set -- gfx90a

# What is behind the 20 bytes of the header and the name of the note that AMDGPU's metadata is in.
metadata_of() {
  objcopy -I elf64-little -O binary --only-section=.note --set-section-flags .note=alloc "$1" "$2.note"
  tail -c +21 "$2.note" > "$2"
  rm "$2.note"
}

# The instructions, 48 dwords a file: as many as sim_run looks at.
words_of() {
  objcopy -I elf64-little -O binary --only-section=.text "$1" "$2.text"
  split --bytes=192 --numeric-suffixes --suffix-length=4 "$2.text" "$2."
  rm "$2.text"
}

mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
for arch in "$@"; do
  for source in api_kernels decode_kernels; do
    object=$work/$source.$arch
    "$bin/hipsim_compile_source" "$tests/hipsim/$source.hip" "$arch:sramecc+:xnack-" "$object"
    case $target in
      sim_elf | sim_module) cp "$object" "$folder" ;;
      sim_metadata) metadata_of "$object" "$folder/$source.$arch" ;;
      sim_decode | sim_run) words_of "$object" "$folder/$source.$arch" ;;
      *) echo "code_seeds.sh: no target '$target' reads code objects" >&2; exit 2 ;;
    esac
  done
done
