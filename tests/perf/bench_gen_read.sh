#!/usr/bin/env bash
# Reading all profiler lists of Composable Kernel by both sets of rules, beside its own generator when
# CKTUNE_GENERATE_INSTANCES names generate_instances.py and Python is there.
#
#   bench_gen_read.sh BUILD_FOLDER [FOLDER_WITH_CONFIGS]
set -euo pipefail
build=$(cd "$1" && pwd)
configs=${2:-$(dirname "$0")/../../../shared/ck}/configs
if [ ! -d "$configs" ]; then
  echo "# reading lists: $configs is not there"
  exit 0
fi
lists=("$configs"/*/profiler/*.conf)

echo "# reading ${#lists[@]} lists, least CPU time of 200 rounds"
for rules in seed hardware; do
  "$build/bin/gen_bench_read" $rules "${lists[@]}"
done

script=${CKTUNE_GENERATE_INSTANCES:-}
[ -n "$script" ] && command -v python3 >/dev/null || exit 0
python3 - "$script" "${lists[@]}" <<'PYTHON'
import contextlib, importlib.util, os, sys, time
spec = importlib.util.spec_from_file_location("generate_instances", sys.argv[1])
script = importlib.util.module_from_spec(spec)
spec.loader.exec_module(script)
readers = {"forward": script.parse_fwd_instances, "backward_weight": script.parse_bwd_weight_instances,
           "backward_data": script.parse_bwd_data_instances}

def read_all():
    count = 0
    for path in sys.argv[2:]:
        direction = path.split(os.sep)[-3]
        name = os.path.basename(path).removesuffix(".conf")
        with open(path) as lines:
            count += len(readers[direction](lines.readlines(), f"grouped_convolution_{direction}_tile_{name}"))
    return count

best = float("inf")
with open(os.devnull, "w") as nothing, contextlib.redirect_stdout(nothing):
    for _ in range(10):
        start = time.process_time()
        count = read_all()
        best = min(best, time.process_time() - start)
print(f"script    {count} instances: {1e3 * best:.1f} ms of CPU")
PYTHON
