"""What the drivers share: one shard of a batch, and the table of all of them."""

import argparse
import glob
import os
import subprocess
import sys

IDIOLECT = os.environ.get("IDIOLECT", "idiolect")


def arguments(about):
    """The command line of a driver; what follows `--` is for `idiolect batch`."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("manifest", type=os.path.abspath)
    parser.add_argument("results", type=os.path.abspath)
    parser.add_argument("--shards", type=int, default=os.cpu_count() or 1)
    parser.add_argument("options", nargs="*", help="for `idiolect batch`, after `--`")
    return parser.parse_args()


def run(manifest, results, number, shards, options, idiolect=IDIOLECT):
    """Does one shard, or what is left of it. Gives its number and its exit code."""
    os.makedirs(results, exist_ok=True)
    out = os.path.join(results, f"shard-{number}.jsonl")
    command = [idiolect, "batch", manifest, "--resume", "--quiet", "--out", out]
    command += ["--shard", f"{number}/{shards}", "--jobs", "1", *options]
    return number, subprocess.run(command, check=False).returncode


def merge(manifest, results):
    """Prints the table of all shards; its exit code is that of `batch merge`."""
    files = sorted(glob.glob(os.path.join(glob.escape(results), "shard-*.jsonl")))
    command = [IDIOLECT, "batch", "merge", *files, "--manifest", manifest]
    return subprocess.run(command, check=False).returncode


def finish(arguments, codes):
    """Says which shards failed, merges, and ends."""
    failed = sorted(number for number, code in codes if code != 0)
    if failed:
        print(f"shards that did not finish: {failed}", file=sys.stderr)
    sys.exit(merge(arguments.manifest, arguments.results))
