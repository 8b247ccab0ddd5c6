"""BenchExec tool-info module: `idiolect verify` on SV-COMP tasks.

Put this file beside BenchExec's own (benchexec/tools/), or name it with its path in a benchmark
definition: <benchmark tool="contrib.benchexec.idiolect" ...> with the repository on PYTHONPATH.
"""

import json

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.template import ToolNotFoundException

# Where the program is below the tool's directory: built here, unpacked or installed, put there by hand.
FOLDERS = ("target/release", "bin", "")

# What an error breaks; every other fault is an access that is not valid. SV-COMP has no property for
# divisions, so they have their own name.
PROPERTIES = {
    "assert": "unreach-call",
    "reach_error": "unreach-call",
    "signed overflow": "no-overflow",
    "shift overflow": "no-overflow",
    "division by zero": "division",
    "division overflow": "division",
    "double free": "valid-free",
    "free of something other than a heap block": "valid-free",
    "memory leak": "valid-memtrack",
}


class Tool(benchexec.tools.template.BaseTool2):
    def executable(self, tool_locator):
        for folder in FOLDERS[:-1]:
            try:
                return tool_locator.find_executable("idiolect", subdir=folder)
            except ToolNotFoundException:
                pass
        return tool_locator.find_executable("idiolect")

    def name(self):
        return "idiolect"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="idiolect")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "verify", *task.input_files, "--json", *options]
        if task.property_file:
            command += ["--property-file", task.property_file]
        if isinstance(task.options, dict) and "data_model" in task.options:
            command += ["--data-model", task.options["data_model"]]
        # The answer comes a little before the limit: the best so far, instead of none.
        if rlimits.cputime and "--timeout" not in options:
            command += ["--timeout", str(max(1, int(rlimits.cputime * 0.95)))]
        return command

    def determine_result(self, run):
        try:
            outcome = json.loads("\n".join(run.output))
        except ValueError:
            return result.RESULT_ERROR
        if "error" in outcome and "verdict" not in outcome:
            return f"{result.RESULT_ERROR} ({outcome['error']['code']})"
        verdict = outcome["verdict"]
        if verdict == "proved":
            return result.RESULT_TRUE_PROP
        if verdict == "error":
            kind = (outcome.get("error") or {}).get("kind", "")
            return f"{result.RESULT_FALSE_PROP}({PROPERTIES.get(kind, 'valid-deref')})"
        # A guarantee with a probability is no proof.
        return result.RESULT_UNKNOWN
