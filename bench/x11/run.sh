#!/bin/bash
# Records X clients while text is selected in them, mines the protocol of taking the selection, and
# lets it judge them and a client of ours: the study of section 6 of "Mining Specifications".
#
#   bench/x11/run.sh IDIOLECT [FOLDER]
#
# Needs Debian's xvfb xdotool x11-apps xterm x11-utils rxvt-unicode nedit xclip xsel libxt-dev.
set -u
idiolect=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
out=${2:-/tmp/idiolect-x11}
mkdir -p "$out"
cd "$out" || exit 1

number=$((RANDOM % 400 + 100))
Xvfb ":$number" -screen 0 1024x768x24 >/dev/null 2>&1 &
server=$!
trap 'kill $server 2>/dev/null' EXIT
export DISPLAY=":$number"
for _ in $(seq 50); do xdotool getmouselocation >/dev/null 2>&1 && break; sleep 0.2; done

drag() { xdotool mousemove "$1" "$2" mousedown 1 sleep 0.1 mousemove "$3" "$4" sleep 0.1 mouseup 1 sleep 0.6; }
click() { xdotool mousemove "$1" "$2" sleep 0.1 click "${3:-1}" sleep 0.6; }

# record NAME SECONDS COMMAND…: what to do with it is the function NAME.
record() {
    local name=$1 seconds=$2
    shift 2
    "$idiolect" trace --api x11 --from all -o "$name.trace" --stop-after "$seconds" -- "$@" \
        >"$name.log" 2>&1 &
    local recorder=$!
    sleep 3.5
    "do_$name" >/dev/null 2>&1
    wait $recorder
    printf '%-12s %s\n' "$name" "$(tail -1 "$name.log")"
}

text() { printf 'one two three four five\nsix seven eight nine ten\nalpha beta gamma delta\n'; }
text >text.txt

do_xterm() { for x in 60 90 120; do drag 20 12 $x 12; done; xdotool mousemove 40 25 click --repeat 2 1 sleep 0.6; click 40 60 2; }
do_urxvt() { for x in 60 90 120; do drag 10 8 $x 8; done; xdotool mousemove 40 20 click --repeat 2 1 sleep 0.6; click 40 60 2; }
do_xedit() { for x in 60 90 120; do drag 20 118 $x 118; done; xdotool mousemove 40 132 click --repeat 2 1 sleep 0.6; }
do_nedit() { for x in 60 90 120; do drag 15 50 $x 50; done; }
do_xcutsel() {
    for word in one two three; do
        xprop -root -f CUT_BUFFER0 8s -set CUT_BUFFER0 $word
        click 68 60
    done
    click 68 38
}
do_xclipboard() { for x in 60 90 120; do drag 10 40 $x 40; done; }
do_xconsole() { for x in 60 90 120; do drag 10 10 $x 10; done; }
do_bitmap() { for x in 260 300 340; do click 65 110; drag 200 70 $x 150; done; click 65 158; drag 210 80 300 200; }
do_editres() { :; }
do_owner() { click 50 50; click 60 60; click 70 70; }
do_current() { do_owner; }
do_xclip() { xclip -o >/dev/null; }
do_xsel() { timeout 2 xsel -o >/dev/null; }

cc -O1 -o owner "$here/owner.c" -lX11 || exit 1
xrdb -merge /dev/null 2>/dev/null

record xterm 11 xterm -geometry 80x24+0+0 -e sh -c 'cat text.txt; sleep 60'
# Debian's is setgid, so that nothing can be preloaded; a copy is not.
cp "$(command -v urxvt)" urxvt
record urxvt 11 ./urxvt -geometry 80x24+0+0 -e sh -c 'cat text.txt; sleep 60'
record xedit 10 xedit -geometry 500x400+0+0 text.txt
record nedit 10 nedit -geometry 80x24+0+0 text.txt
record xcutsel 12 xcutsel -geometry +0+0
record xclipboard 10 xclipboard -geometry 300x200+0+0
record xconsole 10 xconsole -geometry 400x200+0+0 -file text.txt
record bitmap 12 bitmap -geometry 500x340+0+0
record owner 8 ./owner
record current 8 ./owner now
echo some text | record xclip 6 xclip -i -quiet
echo some text | record xsel 6 xsel -i -n

good=()
# The two that own their clipboards from the start, with CurrentTime, and say so in their manuals, stay
# out, as in the paper.
for name in xterm urxvt xedit nedit xcutsel bitmap owner; do
    grep -qE '^(XtOwnSelection|XSetSelectionOwner)' "$name.trace" && good+=("$name.trace")
done
echo "mined from ${good[*]}"
"$idiolect" mine "${good[@]}" --api x11 --strings --spec x11.spec --dot x11.dot
for name in xterm urxvt xedit nedit xcutsel xclipboard xconsole bitmap owner current xclip xsel; do
    [ -s "$name.trace" ] || continue
    printf '%-12s %s\n' "$name" "$("$idiolect" check --spec x11.spec "$name.trace" --exit-zero | head -1)"
done
"$idiolect" check --spec x11.spec current.trace
