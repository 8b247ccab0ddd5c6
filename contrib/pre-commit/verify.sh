#!/bin/sh
# A pre-commit hook: each C file with a `main`, for ten seconds. Findings stop the commit; an undecided answer
# does not.
status=0
for file in "$@"; do
    grep -Eq '(^|[^[:alnum:]_])main[[:space:]]*\(' "$file" || continue
    idiolect verify "$file" --timeout "${IDIOLECT_TIMEOUT:-10}" -q
    code=$?
    case $code in
        0 | 3) ;;
        *) status=1 ;;
    esac
done
exit $status
