#!/bin/bash
# How many times slower than `cc -O0` two real programs run: SQLite and Wren, each with a driver of ours.
# Prints the processor time (user) of both, the least of so many runs, and their ratio. Ours has everything in it that
# happens before the first step: preprocessing, parsing, lowering, compiling.
#
#   bench/projects/speed.sh IDIOLECT SQLITE WREN [RUNS]
#
# SQLITE is a folder with `sqlite3.c` and `sqlite3.h`, WREN a clone of wren-lang/wren; `-` leaves one out.
# Outputs are compared too: other bytes (but for the elapsed time that Wren's benchmarks print) end the script.
set -eu
idiolect=$(realpath "$1")
sqlite=$2
wren=$3
runs=${4:-5}
here=$(realpath "$(dirname "$0")")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
flags="--max-steps 1000000000000 --pass-exit-code -q"

# The least user time of both commands, one after the other in turn.
compare() {
    local name=$1 best=(1000000 1000000) k i t
    for ((i = 0; i < runs; i++)); do
        for k in 0 1; do
            t=$(TIMEFORMAT=%3U; { time bash -c "$(sed -n "$((k + 1))p" "$out/commands")" >"$out/$k"; } 2>&1)
            t=$((10#${t/./}))
            ((t >= best[k])) || best[k]=$t
        done
    done
    cmp <(grep -v '^elapsed:' "$out/0") <(grep -v '^elapsed:' "$out/1")
    awk -v name="$name" -v a="${best[0]}" -v b="${best[1]}" \
        'BEGIN { printf "%-20s cc %.3f  ours %.3f  %.1f times\n", name, a / 1000, b / 1000, b / a }'
}

if [ "$sqlite" != - ]; then
    sqlite=$(realpath "$sqlite")
    files="$here/sqlite_rows.c $sqlite/sqlite3.c -I$sqlite -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION"
    cc -O0 -w $files -o "$out/sqlite" -lm
    printf '%s\n' "$out/sqlite" "$idiolect run $files $flags" >"$out/commands"
    compare SQLite
fi
if [ "$wren" != - ]; then
    wren=$(realpath "$wren")
    files="$here/wren_file.c $(echo "$wren"/src/vm/*.c "$wren"/src/optional/*.c)"
    files="$files -I$wren/src/include -I$wren/src/vm -I$wren/src/optional"
    cc -O0 -w $files -o "$out/wren" -lm
    for name in fib for binary_trees method_call map_numeric; do
        program="$wren/test/benchmark/$name.wren"
        printf '%s\n' "$out/wren $program" \
            "$idiolect run $files $flags --files $wren/test/benchmark -- $name.wren" >"$out/commands"
        compare "Wren $name"
    done
fi
