#!/bin/bash
# The case study of "Learning the Language of Software Errors" (appendix A) on jq's own code: `-L ./mod` does not
# find a module that `-L mod` finds. Prints each step.
#
#   bench/jq/run.sh IDIOLECT JQ
#
# JQ is a clone of https://github.com/jqlang/jq; its history is read, nothing in it is changed.
set -eu
idiolect=$(realpath "$1")
jq=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

files="study.c jv.c jv_alloc.c util.c jv_unicode.c jv_print.c jv_dtoa.c"
flags='-I . -D _GNU_SOURCE -D IEEE_8087 --max-argument-length 1'
assertion=$(grep -n 'assert(same_folder' "$here/study.c" | cut -d: -f1)
events=(--events labels)
for name in origin_is_known origin_is_unknown relative absolute; do
    events+=(--event "call:$name")
done

# unpack FOLDER REVISION
unpack() {
    mkdir "$out/$1"
    git -C "$jq" archive "$2" | tar -x -C "$out/$1"
    cp "$here/study.c" "$out/$1/"
    cd "$out/$1"
}

# step TITLE ARGUMENT…
step() {
    printf '\n== %s\n' "$1"
    shift
    # shellcheck disable=SC2086
    "$idiolect" explain $files $flags --assertion "study.c:$assertion" "${events[@]}" --exit-zero "$@" |
        grep -v '^warning: '
}

unpack before 66f7ce5ac331d2f4a2624834086d3e090bb7a57e~1
step 'before the repair: which arguments fail?'
step 'why not without an origin?' --word 'origin_is_unknown relative assert'
unpack after 068300229b5498061bcca7892f4ba3a435b06bc6
step 'after the repair' -D WITH_ERROR
