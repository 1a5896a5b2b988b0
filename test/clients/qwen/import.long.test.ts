import { join } from "node:path";
import { group, importSuite, replies } from "../support/imports.ts";
import { QWEN } from "../support/qwen.ts";

const specific = (more: object) => ({ hookSpecificOutput: more });

const SILENT = "Exit code 2 refuses here also when the hook prints nothing";
const AFTER = "here the model reads its reason in place of the result";

importSuite({
  client: QWEN,
  file: ".qwen/settings.json",
  entry: group,
  events: { before: "PreToolUse", after: "PostToolUse", prompt: "UserPromptSubmit", stop: "Stop" },
  rows: {
    before: [
      replies("refuses", specific({ permissionDecision: "deny", permissionDecisionReason: "Not that." })),
      replies("refuses with block", { decision: "block", reason: "Not that." }),
      replies("refuses with continue: false", { continue: false, stopReason: "Enough." }),
      replies("asks", specific({ permissionDecision: "ask", permissionDecisionReason: "Sure?" })),
      replies("allows", specific({ permissionDecision: "allow" })),
      replies(
        "rewrites",
        specific({ permissionDecision: "allow", updatedInput: { command: "touch other-MARK" } }),
      ),
      replies("adds context", specific({ additionalContext: "The build is red." })),
      replies("says something to the user", { systemMessage: "Look." }),
      { what: "refuses on stderr", does: `echo '{"decision":"block","reason":"Not that."}' >&2` },
      { what: "refuses and fails", does: `echo '{"decision":"block","reason":"Not that."}'; exit 1` },
      { what: "logs before it refuses", does: `echo log; echo '{"decision":"block","reason":"Not that."}'` },
    ],
    after: [
      replies("refuses", { decision: "block", reason: "Not that." }),
      replies("withholds the result", { continue: false, stopReason: "Enough." }),
      replies("adds context", specific({ additionalContext: "The build is red." })),
    ],
    prompt: [
      replies("refuses", { decision: "block", reason: "Not that." }),
      replies("adds context", specific({ additionalContext: "The build is red." })),
      replies("ends the run", { continue: false, stopReason: "Enough." }),
    ],
    stop: [
      replies("goes on", { decision: "block", reason: "There is more." }),
      replies("ends the run", { continue: false, stopReason: "Enough." }),
    ],
  },
  differences: {
    before: {
      "ends with 2 without a word": { report: SILENT, ran: false, read: [] },
      rewrites: { report: "a call that a hook wants to rewrite is refused", ran: false, read: [] },
    },
    after: {
      "ends with 2 and a reason": { report: AFTER, read: ["Not that."] },
      "ends with 2 without a word": { report: AFTER, read: [] },
      refuses: { report: AFTER, read: ["Not that."] },
    },
    stop: { "ends the run": { report: "Continue: false keeps Qwen Code going", read: [] } },
    prompt: { "ends with 2 without a word": { report: SILENT, requests: 0 } },
  },
  wider: { "^write": "A tool has several names here" },
  varying: [/-tmp-[\w-]*-project/g, /"tool_use_id":"[^"]+"/g],
  matchers: ["run_shell_command", "Bash", "file", "^write", "(", "*", "Write|Edit"],
  calls: (folder) => [
    QWEN.shell("true"),
    [["write_file", { file_path: join(folder, "made"), content: "x" }]],
  ],
});
