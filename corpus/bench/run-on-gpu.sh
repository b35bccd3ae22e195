#!/usr/bin/env bash
# Builds and measures the benchmarks on a machine with a GPU and nvcc.
# Usage: run-on-gpu.sh OUT STEP...   (steps: see measure.py; default: everything, about 20 minutes)
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=$1; shift
mkdir -p "$out"
export ECHO_DR=${ECHO_DR:-$here/../../target/release/echo-dr}
steps=("$@")
if [ ${#steps[@]} -eq 0 ]; then
  steps=(build s1 variants)
  for name in fft conv sgemm detect fcn torch; do steps+=("auto:$name" "table:$name"); done
  steps+=(triples:fft triples:conv)
  # What echo-fix makes of the plain programs, if fix-sources.sh has been run (it needs libclang, not a GPU).
  [ -d "${FIXED:-$out/fixed}" ] && steps+=(build_fixed fix)
fi
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
"$ECHO_DR" doctor "${DOCTOR:-/bin/sleep}" || true
exec python3 "$here/measure.py" "$out" "${steps[@]}"
