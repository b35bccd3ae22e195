#!/usr/bin/env bash
# Writes what echo-fix makes of plain/ to OUT/managed and OUT/mapped, for `measure.py OUT fix` on a machine with a GPU.
# Usage: fix-sources.sh ECHO_FIX OUT [ARGUMENT...]   (arguments for echo-fix, such as --extra-arg -I<cuDNN's headers>)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
fix=$1 out=$2
shift 2
# Managed memory as every unified device allows it, and mapped memory, which pays on discrete ones.
for kind in managed:any-uma mapped:dgpu; do
  folder=$out/${kind%:*}
  rm -rf "$folder"
  mkdir -p "$folder"
  cp "$here"/plain/* "$folder"
  (cd "$folder" && "$fix" . --apply --memory "${kind%:*}" --target "${kind#*:}" "$@" > patch.diff 2> report.txt)
  tail -n 1 "$folder/report.txt"
done
