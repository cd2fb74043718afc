#!/usr/bin/env bash
# What handlers of vector instructions take, in nanoseconds a wave-instruction: generic, AVX2, AVX-512 as this host has them.
#
#   bench_handlers.sh BUILD_FOLDER
set -euo pipefail
echo "# handlers: ns a wave-instruction, by variant"
"$1/bin/hipsim_bench_handlers"
