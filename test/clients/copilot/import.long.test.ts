import { join } from "node:path";
import { COPILOT } from "../support/copilot.ts";
import { type ImportedAgent, importSuite, replies } from "../support/imports.ts";

const specific = (more: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...more } });
const DENY = { permissionDecision: "deny", permissionDecisionReason: "Not that." };
const RESULT = { resultType: "success", textResultForLlm: "[redacted]" };

const SAID = "The model reads why a call was refused, also what the hook wrote to stderr";

const COMMON: Omit<ImportedAgent, "events" | "matchers"> = {
  client: COPILOT,
  file: ".github/hooks/guards.json",
  heading: { version: 1 },
  entry: ({ command, matcher, seconds }) => ({
    type: "command",
    bash: command,
    timeoutSec: seconds,
    ...(matcher === undefined ? {} : { matcher }),
  }),
  rows: {
    before: [
      replies("refuses", DENY),
      replies("asks", { ...DENY, permissionDecision: "ask" }),
      replies("allows", { permissionDecision: "allow" }),
      replies("rewrites", { modifiedArgs: { command: "touch other-MARK", description: "Run it" } }),
      replies("adds context", { additionalContext: "The build is red." }),
      replies("says a word that nobody knows", { permissionDecision: "maybe" }),
      { what: "refuses and fails", does: `echo '${JSON.stringify(DENY)}'; exit 1` },
      { what: "allows and fails", does: `echo '{"permissionDecision":"allow"}'; exit 1` },
    ],
    after: [
      replies("refuses", { decision: "block", reason: "Not that." }),
      replies("replaces the result", { modifiedResult: RESULT }),
      replies("adds context", { additionalContext: "The build is red." }),
    ],
    prompt: [
      replies("refuses", { decision: "block", reason: "Not that." }),
      replies("rewrites", { modifiedPrompt: "Something else." }),
      replies("adds context", { additionalContext: "The build is red." }),
    ],
    stop: [replies("goes on", { decision: "block", reason: "There is more." })],
  },
  differences: {
    before: {
      "ends with 1": { report: SAID, read: ["It broke."] },
      "ends with 2 and a reason": { report: SAID, read: ["Not that."] },
      "ends with 3 and a text": { report: SAID, read: ["It broke."] },
      "refuses and fails": { report: SAID, read: ["Not that."] },
    },
  },
  calls: (folder) => [
    COPILOT.shell("true"),
    [["create", { path: join(folder, "made"), file_text: "x" }]],
    [["view", { path: folder }]],
  ],
  varying: [/"timestamp":\d+/g],
};

importSuite({
  ...COMMON,
  events: { before: "preToolUse", after: "postToolUse", prompt: "userPromptSubmitted", stop: "agentStop" },
  matchers: ["bash", "^create", "b.*", "[", "*", "bash|create", "crea"],
});

importSuite({
  ...COMMON,
  events: { before: "PreToolUse", after: "PostToolUse", prompt: "UserPromptSubmit", stop: "Stop" },
  rows: {
    ...COMMON.rows,
    before: [
      ...COMMON.rows.before,
      replies("refuses in Claude Code's words", specific(DENY)),
      replies(
        "rewrites in Claude Code's words",
        specific({ updatedInput: { command: "touch other-MARK", description: "Run it" } }),
      ),
    ],
  },
  matchers: ["Bash", "bash", "W.*", "[", "*", "Bash|Write", "create"],
});
