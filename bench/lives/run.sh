#!/bin/sh
# Twelve classic mistakes with objects of the C library. What programs keep to is learned from the clean
# programs; each mistake has to be found at its line, and nothing in its corrected twin.
#
#   bench/lives/run.sh [idiolect]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tool=${1:-idiolect}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apis="--api files --api stdio --api socket --api malloc --api string --api pthread"
build() { ${CC:-cc} -g -O0 -w -pthread "$@"; }
record() { # trace, program
    "$tool" trace $apis --stop-after 3 -q -o "$1" -- "$2" >/dev/null 2>&1 || true
}

for source in "$here"/clean/*.c; do
    name=$(basename "$source" .c)
    build -o "$name" "$source"
    record "$name.trace" "./$name"
done
"$tool" mine ./*.trace $apis --spec lives.spec >mined.txt || { cat mined.txt; exit 1; }
[ -z "${VERBOSE:-}" ] || sed -n '/^rules/,$p' mined.txt

found=0 bugs=0 alarms=0
for source in "$here"/bugs/*.c; do
    name=$(basename "$source" .c)
    bugs=$((bugs + 1))
    line=$(grep -n '/\* BUG \*/' "$source" | cut -d: -f1)
    for how in BUG FIXED; do
        build -D$how -o "$name" "$source"
        record "$name-$how.tr" "./$name"
        "$tool" check --spec lives.spec "$name-$how.tr" >"$name-$how.txt" || true
    done
    places=$(grep -cE '^[^ ].*: (missing|forbidden|unfinished): ' "$name-BUG.txt" || true)
    if grep -qE "^[^ ]*$name.c:$line: .*: (missing|forbidden|unfinished): " "$name-BUG.txt"; then
        found=$((found + 1))
        echo "found: $(grep -E "$name.c:$line: " "$name-BUG.txt" | head -1 | sed "s|.*/$name.c|$name.c|") ($places in all)"
    else
        echo "not found: $name.c:$line"
        [ -z "${VERBOSE:-}" ] || cat "$name-BUG.txt" "$name-BUG.tr"
    fi
    if ! grep -q '^satisfies' "$name-FIXED.txt"; then
        alarms=$((alarms + 1))
        echo "false alarm: $name (fixed)"
        sed 's/^/    /' "$name-FIXED.txt"
    fi
done
echo "$found of $bugs found, $alarms false alarms"
[ "$found" -ge 11 ] && [ "$alarms" -eq 0 ]
