#!/bin/bash
# The step of the GitHub Action that runs idiolect. Its inputs are IDIOLECT_* variables.
set -u

# Files and options may be quoted as in a shell; nothing in them is expanded or run.
mapfile -d '' -t words < <(xargs printf '%s\0' <<<"$IDIOLECT_FILES")

options=(--format github --timeout "${IDIOLECT_TIMEOUT:-300}")
[ -n "${IDIOLECT_REQUIRE:-}" ] && options+=(--require "$IDIOLECT_REQUIRE")
[ -n "${IDIOLECT_SARIF:-}" ] && options+=(--sarif "$IDIOLECT_SARIF")
[ -n "${IDIOLECT_REPORT:-}" ] && options+=(--report "$IDIOLECT_REPORT")

said=$(mktemp)
idiolect "$IDIOLECT_COMMAND" "${words[@]}" "${options[@]}" | tee "$said"
code=${PIPESTATUS[0]}

# The last annotation has the title `idiolect COMMAND: VERDICT`.
verdict=$(sed -n 's/^::notice title=idiolect [a-z]*%3A \([a-z-]*\)::.*/\1/p' "$said" | tail -n 1)
rm -f "$said"
{
  echo "code=$code"
  echo "verdict=${verdict:-none}"
} >>"${GITHUB_OUTPUT:-/dev/null}"
echo "idiolect $IDIOLECT_COMMAND: ${verdict:-no verdict} (exit code $code)" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"

if [ "$code" = 3 ] && [ "${IDIOLECT_UNDECIDED:-pass}" = pass ] && [ -z "${IDIOLECT_REQUIRE:-}" ]; then
  exit 0
fi
exit "$code"
