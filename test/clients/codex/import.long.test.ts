import { CODEX, runCodex } from "../support/codex.ts";
import { group, importSuite, replies } from "../support/imports.ts";

const specific = (event: string, more: object) => ({ hookSpecificOutput: { hookEventName: event, ...more } });

const SILENT = "Exit code 2 refuses here also when the hook prints nothing";

importSuite({
  // Its user trusts all hooks here: ours as well as those that were there before.
  client: { ...CODEX, run: (given) => runCodex({ ...given, args: ["--dangerously-bypass-hook-trust"] }) },
  file: ".codex/hooks.json",
  entry: group,
  events: { before: "PreToolUse", after: "PostToolUse", prompt: "UserPromptSubmit", stop: "Stop" },
  rows: {
    before: [
      replies(
        "refuses",
        specific("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: "Not that." }),
      ),
      replies("refuses in the old way", { decision: "block", reason: "Not that." }),
      replies(
        "asks",
        specific("PreToolUse", { permissionDecision: "ask", permissionDecisionReason: "Sure?" }),
      ),
      replies("allows", specific("PreToolUse", { permissionDecision: "allow" })),
      replies(
        "rewrites",
        specific("PreToolUse", {
          permissionDecision: "allow",
          updatedInput: { command: "touch other-MARK" },
        }),
      ),
      replies("adds context", specific("PreToolUse", { additionalContext: "The build is red." })),
      replies("stops", { continue: false, stopReason: "Enough." }),
      replies("refuses with an unknown key", {
        ...specific("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: "Not that." }),
        more: 1,
      }),
    ],
    after: [
      replies("refuses", { decision: "block", reason: "Not that." }),
      replies("adds context", specific("PostToolUse", { additionalContext: "The build is red." })),
      replies("stops", { continue: false, stopReason: "Enough." }),
    ],
    prompt: [
      replies("refuses", { decision: "block", reason: "Not that." }),
      replies("adds context", specific("UserPromptSubmit", { additionalContext: "The build is red." })),
      replies("stops", { continue: false, stopReason: "Enough." }),
    ],
    stop: [
      replies("goes on", { decision: "block", reason: "There is more." }),
      replies("stops", { continue: false, stopReason: "Enough." }),
    ],
  },
  differences: {
    before: {
      "ends with 2 without a word": { report: SILENT, ran: false, read: [] },
      asks: { report: "A hook that asks refuses", ran: false, read: ["Sure?"] },
      stops: { report: "so does continue: false before a call", ran: false, read: ["Enough."] },
      "refuses with an unknown key": {
        report: "Here the rest of it applies",
        ran: false,
        read: ["Not that."],
      },
    },
    after: {
      "ends with 2 without a word": { report: SILENT, read: [] },
    },
    prompt: { "ends with 2 without a word": { report: SILENT, requests: 0 } },
    stop: { "ends with 2 without a word": { report: SILENT, requests: 2 } },
  },
  matchers: ["Bash", "Edit|Write", "^Ba", "apply", "*", "bash"],
  wider: { bash: "A tool has several names here" },
  calls: () => [CODEX.shell("true")],
  varying: [/Chunk ID: \w+/g, /Wall time: [\d.]+/g, /"turn_id":"[^"]+"/g, /stop:\d+/g],
});
