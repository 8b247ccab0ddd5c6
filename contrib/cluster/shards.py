"""What the drivers of `idiolect batch` share: one shard, and the table of all of them."""

import argparse
import glob
import os
import subprocess
import sys


def arguments(about):
    """The command line of a driver; what follows `--` is for `idiolect batch`."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("manifest", type=os.path.abspath)
    parser.add_argument("results", type=os.path.abspath, help="a folder that all nodes see")
    parser.add_argument("--shards", type=int, default=os.cpu_count() or 1)
    parser.add_argument("options", nargs="*", help="for `idiolect batch`, after `--`")
    args = parser.parse_args()
    args.idiolect = os.environ.get("IDIOLECT", "idiolect")
    args.folder = os.getcwd()
    os.makedirs(args.results, exist_ok=True)
    return args


def run(args, number):
    """Does one shard, or what is left of it, where the driver was started. Its exit code."""
    out = os.path.join(args.results, f"shard-{number}.jsonl")
    command = [args.idiolect, "batch", args.manifest, "--resume", "--quiet", "--out", out]
    command += ["--shard", f"{number}/{args.shards}", "--jobs", "1", *args.options]
    return subprocess.run(command, check=False, cwd=args.folder).returncode


def main(about, each):
    """Does all shards by `each(function, items)` and prints the table of `batch merge`."""
    args = arguments(about)
    numbers = range(1, args.shards + 1)
    codes = each(lambda number: run(args, number), list(numbers))
    failed = [number for number, code in zip(numbers, codes) if code != 0]
    if failed:
        print(f"shards that did not finish: {failed}", file=sys.stderr)
    files = sorted(glob.glob(os.path.join(glob.escape(args.results), "shard-*.jsonl")))
    command = [args.idiolect, "batch", "merge", *files, "--manifest", args.manifest]
    sys.exit(subprocess.run(command, check=False).returncode)
