#!/bin/bash
# How often rules that were learned from other programs are wrong about a program that is right: programs of
# Debian are recorded, and each is checked by what was mined from all others. An object that alarms is
# counted, and shown; one that is open when its process ends is a leak that the system cleans up.
#
#   bench/lives/leave-one-out.sh [IDIOLECT [FOLDER]]
#
# Programs that are not installed are left out. APIS says what is recorded.
set -u
tool=$(command -v "${1:-idiolect}")
work=${2:-$(mktemp -d)}
apis=${APIS:---api files --api stdio --api socket --api malloc}
mkdir -p "$work/data/folder"
cd "$work" || exit 1
seq 2000 >data/numbers
printf 'b\na\nc\na\n' >data/letters
printf 'a,b\n1,2\n' >data/table.csv
cp data/numbers data/folder/one
printf 'select 1; create table t(a); insert into t values(3); select * from t;\n' >data/script.sql

programs='
ls -lR data
cat data/numbers data/letters
cp -r data copied
mv copied moved
rm -rf moved
head -n 3 data/numbers
tail -n 3 data/numbers
sort -r data/numbers
uniq -c data/letters
wc data/numbers
cut -d, -f1 data/table.csv
paste data/letters data/letters
join data/letters data/letters
comm data/letters data/letters
tee written
split -l 500 data/numbers part-
od -c data/letters
sha256sum data/numbers
du -a data
touch written
dd if=data/numbers of=written bs=512
grep -rn 19 data
sed -e s/1/x/ data/numbers
find data -type f
diff -r data data
tar cf data.tar data
gzip -kf data/numbers
mawk {s+=$1}END{print(s)} data/numbers
bash -c read;echo;ls
perl -e open(F,"data/letters");while(<F>){print};close(F)
python3 -c print(len(open("data/numbers").read()))
git --version
git init -q repository
curl -s -o fetched file:///etc/hostname
sqlite3 -init data/script.sql :memory: .quit
jq -n 1+1
bc -l data/nothing
file data/numbers
xxd data/letters
'
n=0
mkdir -p traces counts
while IFS= read -r line; do
    [ -n "$line" ] || continue
    read -r -a command <<<"$line"
    command -v "${command[0]}" >/dev/null || continue
    n=$((n + 1))
    name=$(printf '%02d-%s' "$n" "${command[0]}")
    # shellcheck disable=SC2086
    "$tool" trace $apis --stop-after 20 -q -o "traces/$name" -- "${command[@]}" <data/letters >/dev/null 2>&1
    # shellcheck disable=SC2086
    "$tool" mine "traces/$name" $apis --counts-only --write-counts "counts/$name" -q >/dev/null 2>&1 || rm -f "counts/$name"
done <<<"$programs"

objects=0 alarms=0 checked=0
for count in counts/*; do
    name=$(basename "$count")
    # Other runs of the same program say nothing about it.
    others=$(ls counts | grep -v -- "-${name#*-}\$" | sed 's|^|counts/|')
    # shellcheck disable=SC2086
    "$tool" mine --add-counts $others $apis --spec rules.spec -q >mined.txt 2>&1 || { cat mined.txt; continue; }
    "$tool" check --spec rules.spec "traces/$name" --json --no-timing >checked.json 2>/dev/null
    read -r o a <<<"$(python3 - "$name" <<'P'
import json, sys
j = json.load(open("checked.json"))
found = j.get("violations", [])
print(j["statistics"].get("objects_checked", 0), len(found))
for v in found:
    place = v.get("at") or "line %s" % v["line"]
    print("%s: %s: %s: %s (%s)" % (sys.argv[1], v["kind"], v["object"], v["rule"], place), file=sys.stderr)
P
)"
    checked=$((checked + 1)) objects=$((objects + o)) alarms=$((alarms + a))
done
echo "$checked recordings, $objects objects, $alarms alarms"
