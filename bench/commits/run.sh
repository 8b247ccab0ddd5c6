#!/bin/bash
# What commits of small parsers change, by `diff --git`: for each, inputs on which the two versions differ, or that they do not.
#
#   bench/commits/run.sh IDIOLECT CLONES
#
# CLONES is a folder with clones of h2o/picohttpparser, zserge/jsmn, skeeto/optparse, benhoyt/inih and codeplea/tinyexpr;
# their histories are read, nothing in them is changed.
set -eu
idiolect=$(realpath "$1")
clones=$(realpath "$2")
bench=$(realpath "$(dirname "$0")/..")

# commit CLONE COMMIT DRIVER FILE FLAG…
commit() {
    local clone=$1 commit=$2 driver=$3 file=$4
    shift 4
    cd "$clones/$clone"
    printf '\n== %s %s\n' "$clone" "$(git log -1 --format='%h %s' "$commit")"
    TIMEFORMAT='%U + %S s of processor time'
    time { "$idiolect" diff --git "$commit~1" "$commit" --driver "$bench/commits/$driver" -I "$bench/parsers" \
        --observe result,globals --timeout "${SECONDS_EACH:-100}" "$@" "$file" 2>&1 | grep -v '^warning: ' || true; }
}

commit picohttpparser d236094 pico_chunked.c picohttpparser.c -D N=4
commit picohttpparser a875a01 pico_chunked.c picohttpparser.c -D N=4
commit picohttpparser 3d506cc pico_headers.c picohttpparser.c -D N=5
commit picohttpparser 14fc601 pico_response.c picohttpparser.c -D N=4
commit picohttpparser 37cfe3b pico_request.c picohttpparser.c -D N=4
commit jsmn 4ce4404 jsmn.c jsmn.c -D N=3 -D JSMN_PARENT_LINKS
commit jsmn cf38b7d jsmn.c jsmn.c -D N=4
# A library of one header: it is the file, and the driver includes it.
commit optparse cdc96b2 optparse.c optparse.h -D N=2
commit optparse 2161d22 optparse.c optparse.h -D N=2
commit optparse a86877e optparse.c optparse.h -D N=2
commit inih 498f34b inih.c ini.c -D N=3 -D REFUSES -D INI_ALLOW_NO_VALUE=1 -D INI_MAX_LINE=6
commit inih 23acf2d inih.c ini.c -D N=6 -D INI_MAX_LINE=5
commit inih cd5f939 inih.c ini.c -D N=2
commit inih c75edb8 inih.c ini.c -D N=2
commit tinyexpr 61af1dd tinyexpr.c tinyexpr.c -D N=2
