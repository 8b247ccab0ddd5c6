#!/bin/bash
# One shard of a batch for each task of an array job:
#   sbatch --array=1-16 slurm.sh jobs.jsonl results/ 16 [options of `idiolect batch`]
#SBATCH --job-name=idiolect
#SBATCH --requeue
set -eu
manifest=$1 results=$2 shards=$3
shift 3
mkdir -p "$results"
exec "${IDIOLECT:-idiolect}" batch "$manifest" --resume \
  --shard "$SLURM_ARRAY_TASK_ID/$shards" --out "$results/shard-$SLURM_ARRAY_TASK_ID.jsonl" "$@"
