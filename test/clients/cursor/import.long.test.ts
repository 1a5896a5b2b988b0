import { join } from "node:path";
import { CURSOR } from "../support/cursor.ts";
import { importSuite, replies } from "../support/imports.ts";

const CLAUDES = "A reply with Claude Code's words, which Cursor ignores, counts here";
const STOP = "Exit code 2 on stop keeps the agent going";
const NAMES = "A tool has several names here";

importSuite({
  client: CURSOR,
  file: ".cursor/hooks.json",
  heading: { version: 1 },
  entry: ({ command, matcher, seconds }) => ({
    command,
    timeout: seconds,
    ...(matcher === undefined ? {} : { matcher }),
  }),
  events: { before: "preToolUse", after: "postToolUse", prompt: "beforeSubmitPrompt", stop: "stop" },
  rows: {
    before: [
      replies("refuses", { permission: "deny", user_message: "Not that." }),
      replies("asks", { permission: "ask", user_message: "Sure?" }),
      replies("allows", { permission: "allow" }),
      replies("rewrites", { updated_input: { command: "touch other-MARK" } }),
      replies("adds context", { additional_context: "The build is red." }),
      replies("has an unknown verdict", { permission: "perhaps" }),
      replies("refuses in Claude Code's words", { hookSpecificOutput: { permissionDecision: "deny" } }),
      {
        what: "logs before it refuses",
        does: `echo log; echo '{"permission":"deny","user_message":"Not that."}'`,
      },
      { what: "refuses on stderr", does: `echo '{"permission":"deny"}' >&2` },
    ],
    after: [replies("adds context", { additional_context: "The build is red." })],
    prompt: [replies("refuses", { continue: false, user_message: "Not that." })],
    stop: [
      replies("goes on", { followup_message: "There is more." }),
      replies("goes on in Claude Code's words", { decision: "block", reason: "There is more." }),
    ],
  },
  differences: {
    before: {
      asks: { report: "A hook that asks refuses", ran: false, read: ["Sure?"] },
      "has a faulty part in its reply": { report: CLAUDES, ran: false, read: [] },
      "refuses in Claude Code's words": { report: CLAUDES, ran: false, read: [] },
      "logs before it refuses": { report: "Output before the JSON of a reply refuses on a gate", read: [] },
    },
    after: {
      "ends with 2 and a reason": {
        report: "After a call the model reads the reason of exit code 2",
        read: ["Not that.", "printed"],
      },
    },
    stop: {
      "ends with 2 and a reason": { report: STOP, requests: 2, read: ["Not that."] },
      "ends with 2 without a word": { report: STOP, requests: 2 },
    },
  },
  wider: { Bash: NAMES, shell: NAMES },
  matchers: ["Shell", "Write|Delete", "^Wr", "hell", "*", "Bash", "shell"],
  calls: (folder) => [CURSOR.shell("true"), [["writeArgs", { path: join(folder, "made"), fileText: "x" }]]],
});
