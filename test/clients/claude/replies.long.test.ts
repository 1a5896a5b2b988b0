import { expect, it, vi } from "vitest";
import { expectSame } from "../support/expect-same.ts";
import { seenBy } from "../support/seen-sessions.ts";
import type { Row } from "../support/shapes.ts";

/* Hooks as they are published, on the real Claude Code: called by it and, after an import, by us. */

// Each test runs dozens of turns, twice.
vi.setConfig({ testTimeout: 600_000 });

const own = (more: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...more } });
const says = (what: string, reply: unknown, more: Omit<Row, "what"> = {}): Row => ({
  what,
  stdout: JSON.stringify(reply),
  ...more,
});
const DENY = { permissionDecision: "deny", permissionDecisionReason: "WHY" };
const DENIED = JSON.stringify(own(DENY));
const ECHO = { session_id: "s", cwd: "/", hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {} };

it("a call of a tool: nothing said, and harmless output", async () => {
  await expectSame("PreToolUse", [
    { what: "nothing" },
    { what: "whitespace", stdout: " \n\n" },
    { what: "plain text", stdout: "looked at it" },
    { what: "a list", stdout: "[]" },
    { what: "a string", stdout: '"words"' },
    { what: "a number", stdout: "42" },
    { what: "null", stdout: "null" },
    { what: "false", stdout: "false" },
    { what: "an error", exit: 1, stderr: "boom" },
    { what: "a program that is not there", exit: 127, stderr: "sh: guard: not found" },
    { what: "broken JSON", stdout: "{not json" },
    says("an empty object", {}),
    says("the payload", ECHO),
    says("an empty reason", { reason: "" }),
    says("a reason alone", { reason: "words" }),
    says("go on", { continue: true }),
    says("suppressed output", { suppressOutput: true }),
    says("a reason to stop alone", { stopReason: "words" }),
    says("unknown keys", { status: "ok", data: { decision: "block" } }),
    says("no decision", { decision: null }),
    says("an empty reply of the event", { hookSpecificOutput: {} }),
    says("the event alone", own({})),
    says("a reason without a decision", own({ permissionDecisionReason: "words" })),
    says("a key of another event", own({ sessionTitle: "words" })),
    says("a message to the user", { systemMessage: "words" }),
    says("a sequence for the terminal", { terminalSequence: "\u001b]0;t\u0007" }),
    says("our own approval", { action: "allow" }),
    says("our own verdict", { ok: true }),
  ]);
});

it("a call of a tool: allowed, rewritten, with context, asked and refused", async () => {
  await expectSame("PreToolUse", [
    says("allow", own({ permissionDecision: "allow", permissionDecisionReason: "fine" })),
    says("allow with an unknown key", own({ permissionDecision: "allow", more: 1 })),
    says("the old approval", { decision: "approve", reason: "fine" }),
    says("allow with exit code 1", own({ permissionDecision: "allow" }), { exit: 1, stderr: "boom" }),
    says("ask", own({ permissionDecision: "ask", permissionDecisionReason: "ASK" })),
    says("another input", own({ updatedInput: { command: "touch other" } })),
    says(
      "another input, allowed",
      own({ permissionDecision: "allow", updatedInput: { command: "touch other" } }),
    ),
    says(
      "another input with a key the tool does not have",
      own({ updatedInput: { command: "touch other", more: 1 } }),
    ),
    says("another input next to an unknown key", {
      ...own({ updatedInput: { command: "touch other" }, a: 1 }),
      b: 2,
    }),
    says("another input that does not fit", own({ updatedInput: { more: 1 } })),
    says("another input with exit code 1", own({ updatedInput: { command: "touch other" } }), { exit: 1 }),
    says("context", own({ additionalContext: "CTX" })),
    says("context with exit code 1", own({ additionalContext: "CTX" }), { exit: 1, stderr: "boom" }),
    says("context with exit code 2", own({ additionalContext: "CTX" }), { exit: 2, stderr: "WHY" }),
    says("deny", own(DENY)),
    says("deny without a reason", own({ permissionDecision: "deny" })),
    says("deny with an unknown key", own({ ...DENY, more: 1 })),
    says("deny with exit code 1", own(DENY), { exit: 1, stderr: "boom" }),
    says("deny with exit code 2", own(DENY), { exit: 2, stderr: "other words" }),
    says("deny with exit code 127", own(DENY), { exit: 127 }),
    says("deny and approve", { decision: "approve", ...own(DENY) }),
    says("block", { decision: "block", reason: "WHY" }),
    says("block without a reason", { decision: "block" }),
    says("block with a message", { decision: "block", message: "WHY" }),
    says("block and allow", { decision: "block", reason: "WHY", ...own({ permissionDecision: "allow" }) }),
    { what: "deny behind a byte order mark", stdout: `\ufeff${DENIED}` },
    { what: "deny over several lines", stdout: JSON.stringify(own(DENY), null, 2), stderr: "noise" },
    { what: "exit code 2", exit: 2, stderr: "WHY", stdout: "words" },
    { what: "exit code 2 with an empty object", exit: 2, stderr: "WHY", stdout: "{}" },
    { what: "exit code 2 with broken JSON", exit: 2, stderr: "WHY", stdout: "{" },
    says("exit code 2 with an approval", own({ permissionDecision: "allow" }), { exit: 2, stderr: "WHY" }),
    {
      what: "exit code 2 without a word",
      exit: 2,
      differs: "Our sentence says what happened.",
      imported: { sent: ["A hook ended with exit code 2 and wrote nothing to stderr."] },
    },
    { what: "very long text", stdout: "x".repeat(30_000) },
  ]);
});

it("a call of a tool: what Claude Code ignores is a failure, which an imported hook lets pass", async () => {
  await expectSame("PreToolUse", [
    says("deny at the top", DENY),
    says("deny without the event's name", { hookSpecificOutput: DENY }),
    says("deny for another event", { hookSpecificOutput: { hookEventName: "PostToolUse", ...DENY } }),
    says("the old form with deny", { decision: "deny", reason: "WHY" }),
    says("the new form with block", own({ ...DENY, permissionDecision: "block" })),
    says("deny in capitals", own({ ...DENY, permissionDecision: "DENY" })),
    says(
      "deny with a reason that is no text",
      own({ permissionDecision: "deny", permissionDecisionReason: 7 }),
    ),
    says("deny in a list", [own(DENY)]),
    says("our own refusal", { action: "deny", reason: "WHY" }),
    says("our own verdict", { ok: false, reason: "WHY" }),
    { what: "text, then deny", stdout: `looking\n${DENIED}` },
    { what: "deny, then text", stdout: `${DENIED}\nlooked` },
    { what: "deny twice", stdout: `${DENIED}\n${DENIED}` },
    { what: "deny behind another object", stdout: `{"level":"info"}\n${DENIED}` },
    {
      what: "deny in the quotes of Python",
      stdout: "{'decision': 'block', 'reason': 'WHY'}",
    },
    { what: "deny without its end", stdout: '{"decision":"block","reason":"WHY"' },
    says(
      "another input next to a faulty key",
      own({ updatedInput: { command: "touch other" }, permissionDecisionReason: 7 }),
    ),
    says("another input that is no object", own({ updatedInput: "touch other" })),
    // These end the turn, so they come last.
    says("defer", own({ permissionDecision: "defer", permissionDecisionReason: "WHY" })),
    says(
      "the end of the run",
      { continue: false, stopReason: "STOP" },
      {
        differs: "Claude Code runs the tool and stops then; with us the end of the run refuses the call.",
        imported: { ran: false, asked: [] },
      },
    ),
  ]);
});

it.each([
  ["whose first line is async", '{"async": true}\n', {}],
  ["that is async in the settings", "", { async: true }],
])("a hook %s says something later, once, and refuses nothing", async (_, first, handler) => {
  const later = JSON.stringify(own({ additionalContext: "LATER" }));
  const shapes = [{ stdout: `${first}${later}` }, {}, {}, { stdout: `${first}${DENIED}` }, {}, {}];
  for (const way of ["native", "imported"] as const) {
    const seen = await seenBy(way, "PreToolUse", shapes, { handler, pause: 2000 });
    expect(seen.flatMap(({ sent }) => sent.filter((text) => text === "LATER"))).toEqual(["LATER"]);
    expect(seen.map(({ ran }) => ran)).toEqual(shapes.map(() => true));
  }
});
