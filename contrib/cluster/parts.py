"""What the drivers of `idiolect mine` share: parts of traces are counted, counts are added in a tree."""

import argparse
import os
import subprocess
import sys


def arguments(about):
    """The command line of a driver; what follows `--` is for `idiolect mine`."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("traces", nargs="+", type=os.path.abspath)
    parser.add_argument("--counts", required=True, type=os.path.abspath, help="a folder that all nodes see")
    parser.add_argument("--parts", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--fan-in", type=int, default=64, help="files that one reducer adds")
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    args = parser.parse_args(words[:end])
    args.options = words[end + 1 :]
    args.idiolect = os.environ.get("IDIOLECT", "idiolect")
    os.makedirs(args.counts, exist_ok=True)
    return args


def mine(args, words):
    """Runs `idiolect mine`, which writes a file as a whole or not at all. Its exit code and words."""
    command = [args.idiolect, "mine", *words, *args.options]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def counted(args, words, name):
    """Writes counts of this name. Their path, or what was wrong."""
    out = os.path.join(args.counts, name)
    code, _, complaints = mine(args, [*words, "--counts-only", "--write-counts", out, "--quiet"])
    return (out, None) if code == 0 else (out, f"exit code {code}: {complaints}")


def pieces(args):
    """What each part reads: a trace, or a range of its bytes."""
    each = -(-args.parts // len(args.traces))
    for trace in args.traces:
        if each == 1:
            yield [trace]
            continue
        code, ranges, complaints = mine(args, [trace, "--cuts", str(each)])
        if code != 0:
            sys.exit(complaints)
        yield from ([trace, "--range", r] for r in ranges.split())


def finished(results):
    """The paths that were written; the end of the driver if one was not."""
    wrong = [f"{path}: {why}" for path, why in results if why]
    for line in wrong:
        print(line, file=sys.stderr)
    if wrong:
        sys.exit(2)
    return [path for path, _ in results]


def main(about, each):
    """Counts by `each(function, items)`, adds by it until one file is left, and prints its path."""
    args = arguments(about)
    work = [(words, f"part-{i:05}.counts") for i, words in enumerate(pieces(args), 1)]
    files = finished(each(lambda item: counted(args, *item), work))
    level = 1
    while level == 1 or len(files) > 1:
        last = len(files) <= args.fan_in
        groups = [files[i : i + args.fan_in] for i in range(0, len(files), args.fan_in)]
        names = ["all.counts" if last else f"sum-{level}-{i:05}.counts" for i in range(len(groups))]
        work = [(["--add-counts", *group], name) for group, name in zip(groups, names)]
        files = finished(each(lambda item: counted(args, *item), work))
        level += 1
    print(files[0])
