#!/bin/bash
# The socket protocol of a server from Debian (webfs), recorded while curl and wget ask it for pages.
#
#   bench/socket/run.sh IDIOLECT [FOLDER]
#
# Needs Debian's webfs, curl and wget.
set -u
idiolect=$(realpath "$1")
out=${2:-/tmp/idiolect-socket}
mkdir -p "$out/www"
cd "$out" || exit 1
echo hello >www/index.html
head -c 100000 /dev/zero >www/large
port=$((RANDOM % 20000 + 20000))

"$idiolect" trace --api socket -o webfsd.trace -- webfsd -F -4 -p "$port" -r www >webfsd.log 2>&1 &
recorder=$!
curl -s --retry 50 --retry-delay 1 --retry-connrefused -o /dev/null "http://127.0.0.1:$port/index.html"
for _ in $(seq 20); do
    curl -s -o /dev/null "http://127.0.0.1:$port/index.html"
    curl -s -o /dev/null "http://127.0.0.1:$port/large"
    curl -s -o /dev/null -o /dev/null "http://127.0.0.1:$port/missing" "http://127.0.0.1:$port/index.html"
    wget -q -O /dev/null "http://127.0.0.1:$port/index.html"
    wget -q -O /dev/null "http://127.0.0.1:$port/missing"
done
# The first Ctrl-C or SIGTERM ends the recorded program; the trace is written then.
kill -TERM $recorder
wait $recorder
cat webfsd.log
"$idiolect" mine webfsd.trace --api socket --strings --spec webfsd.spec --dot webfsd.dot
"$idiolect" check --spec webfsd.spec webfsd.trace
# The same with the last connection never closed.
sed -n '/^--$/q;p' webfsd.trace | tac | sed '0,/^close(/{/^close(/d}' | tac >leaky.trace
"$idiolect" check --spec webfsd.spec leaky.trace
