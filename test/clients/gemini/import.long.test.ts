import { join } from "node:path";
import { GEMINI } from "../support/gemini.ts";
import { group, importSuite, replies } from "../support/imports.ts";

const specific = (more: object) => ({ hookSpecificOutput: more });

const NAMES = "A tool has several names here";
const SILENT = "Exit codes other than 0 and 1 refuse as there, and here also when the hook prints nothing";

importSuite({
  client: GEMINI,
  file: ".gemini/settings.json",
  entry: ({ seconds, ...hook }) => group({ ...hook, seconds: seconds * 1000 }),
  events: { before: "BeforeTool", after: "AfterTool", prompt: "BeforeAgent", stop: "AfterAgent" },
  rows: {
    before: [
      replies("refuses", { decision: "deny", reason: "Not that." }),
      replies("refuses with block", { decision: "block", reason: "Not that." }),
      replies("allows", { decision: "allow" }),
      replies("rewrites", specific({ tool_input: { command: "touch other-MARK" } })),
      replies("adds context", specific({ additionalContext: "The build is red." })),
      replies("says something to the user", { systemMessage: "Look." }),
      replies("refuses in Claude Code's words", specific({ permissionDecision: "deny" })),
      { what: "refuses on stderr", does: `echo '{"decision":"deny","reason":"Not that."}' >&2` },
      { what: "logs before it refuses", does: `echo log; echo '{"decision":"deny","reason":"Not that."}'` },
    ],
    after: [
      replies("refuses", { decision: "deny", reason: "Not that." }),
      replies("adds context", specific({ additionalContext: "The build is red." })),
    ],
    prompt: [
      replies("refuses", { decision: "deny", reason: "Not that." }),
      replies("adds context", specific({ additionalContext: "The build is red." })),
      replies("ends the run", { continue: false, stopReason: "Enough." }),
    ],
    stop: [
      replies("goes on", { decision: "deny", reason: "There is more." }),
      replies("ends the run", { continue: false, stopReason: "Enough." }),
    ],
  },
  differences: {
    before: {
      "ends with 2 without a word": { report: SILENT, ran: false, read: [] },
      "ends with 3 and without a word": { report: SILENT, ran: false, read: [] },
      "refuses in Claude Code's words": {
        report: "A reply in Claude Code's form works here",
        ran: false,
        read: [],
      },
    },
    after: {
      "ends with 2 without a word": { report: SILENT, read: [] },
      "ends with 3 and without a word": { report: SILENT, read: [] },
    },
    prompt: { "ends with 2 without a word": { report: SILENT, requests: 0 } },
    stop: { "ends with 2 without a word": { report: SILENT, requests: 2 } },
  },
  wider: { Bash: NAMES, "^write": NAMES, "(": "it runs for every tool" },
  varying: [/(?<=session-…)\w+/g],
  matchers: ["run_shell_command", "file", "^write", "(", "*", "Bash", "run_shell_command|write_file"],
  calls: (folder) => [
    GEMINI.shell("true"),
    [["write_file", { file_path: join(folder, "made"), content: "x" }]],
  ],
});
