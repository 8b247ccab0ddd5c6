#!/bin/bash
# Old bugs of real parsers: is the bug found before its repair, and is the repair proved within the bounds of the harness?
# Prints the verdict and the processor time of each.
#
#   bench/history/run.sh IDIOLECT CLONES
#
# CLONES is a folder with clones of DaveGamble/cJSON, richgel999/miniz, h2o/picohttpparser, nodejs/http-parser,
# yaml/libyaml, libexpat/libexpat, benhoyt/inih and zserge/jsmn; their histories are read, nothing in them is changed.
set -eu
idiolect=$(realpath "$1")
clones=$(realpath "$2")
bench=$(realpath "$(dirname "$0")/..")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# bug CLONE REPAIR FOLDERS PROPERTIES HARNESS DEFINE…
bug() {
    local clone=$1 repair=$2 folders=$3 properties=$4 harness=$5 version verdict
    shift 5
    for version in before after; do
        local at=$out/$clone-$version revision=$repair flags=()
        [ $version = before ] && revision=$repair~1
        mkdir "$at"
        # shellcheck disable=SC2086
        git -C "$clones/$clone" archive "$revision" -- $folders | tar -x -C "$at"
        for folder in $folders; do
            flags+=(-I "$at/$folder")
        done
        # After the project's own: both have a `jsmn.c`.
        flags+=(-I "$bench/parsers")
        verdict=$(TIMEFORMAT='%U %S'
            { time "$idiolect" verify "$bench/$harness" "${flags[@]}" "$@" --property "$properties" \
                --timeout "${SECONDS_EACH:-120}" --exit-zero -q 2>/dev/null; } 2>&1 | tr '\n' ' ')
        printf '%-15s %-8s %-6s %s\n' "$clone" "$repair" "$version" "$verdict"
    done
}

bug cJSON 3ef4e4e . assert,memory history/cjson_object.c
bug miniz 3616bf8 . assert,memory parsers/miniz_inflate.c -D N=4 -D M=2
bug picohttpparser b820122 . assert,memory parsers/pico_request.c -D N=5
bug http-parser f6f436a . memory,uninitialised history/http_host.c -D N=4
bug libyaml d1003a9 "src include" assert,memory history/yaml_uri.c
bug libexpat e18829b4 expat/lib assert,memory history/expat_utf16.c
bug inih d7f4657 . assert,memory history/inih_lines.c
bug jsmn 824d9a7 . assert,memory history/jsmn_len.c -D N=3
