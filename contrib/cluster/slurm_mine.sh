#!/bin/bash
# One part of a trace for each task of an array job:
#   sbatch --array=1-16 slurm_mine.sh server.trace counts/ 16 --api socket
# and after it, with as many levels as one likes:
#   idiolect mine --api socket --add-counts counts/* --spec server.spec
#SBATCH --job-name=idiolect
#SBATCH --requeue
set -eu
trace=$1 counts=$2 parts=$3
shift 3
mkdir -p "$counts"
idiolect=${IDIOLECT:-idiolect}
range=$("$idiolect" mine "$trace" --cuts "$parts" "$@" | sed -n "${SLURM_ARRAY_TASK_ID}p")
# There may be fewer places to cut than tasks.
[ -n "$range" ] || exit 0
exec "$idiolect" mine "$trace" --range "$range" --counts-only \
  --write-counts "$counts/part-$SLURM_ARRAY_TASK_ID.counts" "$@"
