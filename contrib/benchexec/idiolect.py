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
            # SV-COMP's name for what is violated; our own where it has none, as for divisions.
            violated = (outcome.get("error") or {}).get("property") or "unreach-call"
            return f"{result.RESULT_FALSE_PROP}({violated})"
        # A guarantee with a probability is no proof.
        return result.RESULT_UNKNOWN
