#!/bin/bash
# One survey as a Slurm array: sbatch survey/cluster/slurm.sh LIST, on a folder that all nodes share.
# Afterwards: echo-survey merge rows-*.ndjson --output rows.ndjson --format html > report.html
#SBATCH --job-name=echo-survey
#SBATCH --array=1-16
#SBATCH --cpus-per-task=8
#SBATCH --time=24:00:00
#SBATCH --requeue
list=${1:-list.txt}
part=$SLURM_ARRAY_TASK_ID
count=${SLURM_ARRAY_TASK_COUNT:-16}
# A task that is started again goes on where it was (--resume). Exit code 3 says that some repositories have no
# numbers; the merged report names them, so the task counts as done.
echo-survey --shard "$part/$count" --jobs "${SLURM_CPUS_PER_TASK:-8}" \
  --resume --output "rows-$part.ndjson" --quiet "$list" > "report-$part.txt" || [ $? -eq 3 ]
