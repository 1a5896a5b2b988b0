import { it, vi } from "vitest";
import { expectSame } from "../support/expect-same.ts";
import { seenAtStart, seenWithoutHost } from "../support/seen-sessions.ts";
import type { Row } from "../support/shapes.ts";

/* Hooks as they are published, on the other events of the real Claude Code. */

// Each test runs dozens of turns, twice.
vi.setConfig({ testTimeout: 600_000 });

const MEANT = "Claude Code ignores a refusal with a fault; its author meant it.";
const SILENT = "A hook ended with exit code 2 and wrote nothing to stderr.";
const says = (what: string, reply: unknown, more: Omit<Row, "what"> = {}): Row => ({
  what,
  stdout: JSON.stringify(reply),
  ...more,
});
const own = (hookEventName: string, more: object) => ({ hookSpecificOutput: { hookEventName, ...more } });

/** What every event is tried with. `silent` and `meant` are what is seen with us where we differ. */
function common(event: string, silent: Row["imported"], meant: Row["imported"]): readonly Row[] {
  const context = own(event, { additionalContext: "CTX" });
  return [
    { what: "plain text", stdout: "plain words" },
    { what: "a list", stdout: '["list"]' },
    { what: "a number", stdout: "42" },
    { what: "an error", exit: 1, stderr: "boom", stdout: "words" },
    { what: "a program that is not there", exit: 127, stderr: "sh: guard: not found" },
    { what: "exit code 2", exit: 2, stderr: "WHY", stdout: "words" },
    {
      what: "exit code 2 without a word",
      exit: 2,
      ...(silent === undefined ? {} : { differs: "Our sentence says what happened.", imported: silent }),
    },
    says("an empty object", {}),
    says("unknown keys", { status: "ok" }),
    says("a reason alone", { reason: "words" }),
    says("a message to the user", { systemMessage: "words" }),
    says("an approval", { decision: "approve", reason: "words" }),
    says("block", { decision: "block", reason: "WHY" }),
    says("block without a reason", { decision: "block" }),
    says("block with an unknown key", { decision: "block", reason: "WHY", more: 1 }),
    says(
      "the old form with deny",
      { decision: "deny", reason: "WHY" },
      meant && { differs: MEANT, imported: meant },
    ),
    says("context", context),
    says("context with an unknown key", own(event, { additionalContext: "CTX", more: 1 })),
    says("context with exit code 1", context, { exit: 1, stderr: "boom" }),
    says("context without the event's name", { hookSpecificOutput: { additionalContext: "CTX" } }),
    says("context for another event", own("Other", { additionalContext: "CTX" })),
    says("context at the top", { additionalContext: "CTX" }),
  ];
}

it("a prompt", async () => {
  const blocked = (reason: string) => ({
    sent: [],
    result: `UserPromptSubmit operation blocked by hook:\n${reason}\nOriginal prompt: MARK`,
  });
  await expectSame("UserPromptSubmit", [
    ...common("UserPromptSubmit", blocked(SILENT), blocked("WHY")),
    { what: "broken JSON", stdout: "{broken" },
    { what: "text, then JSON", stdout: 'text\n{"level":"info"}' },
    says("a title", own("UserPromptSubmit", { sessionTitle: "T" })),
    says("block without the prompt", {
      decision: "block",
      reason: "WHY",
      ...own("UserPromptSubmit", { suppressOriginalPrompt: true }),
    }),
    says("the end of the run", { continue: false, stopReason: "STOP" }),
  ]);
});

it("the result of a tool", async () => {
  const output = { stdout: "NEW", stderr: "", interrupted: false, isImage: false };
  const NOTHING = "(Bash completed with no output)";
  await expectSame("PostToolUse", [
    ...common("PostToolUse", { sent: [NOTHING, SILENT] }, { sent: [NOTHING, "WHY"] }),
    says("another result", own("PostToolUse", { updatedToolOutput: output })),
    says("another result next to an unknown key", own("PostToolUse", { updatedToolOutput: output, more: 1 })),
    says("another result in another shape", own("PostToolUse", { updatedToolOutput: "NEW" }), {
      differs: "Claude Code shows the old result, which may be what the hook wanted to hide.",
      imported: { sent: ["NEW"] },
    }),
    says("words for the classifier", own("PostToolUse", { classifierContext: "C" })),
    says("the end of the run", { continue: false, stopReason: "STOP" }),
  ]);
});

it("the error of a tool", async () => {
  await expectSame(
    "PostToolUseFailure",
    common("PostToolUseFailure", { sent: ["Exit code 3", SILENT] }, undefined),
  );
});

it("the end of a turn", async () => {
  await expectSame("Stop", [
    ...common("Stop", { sent: [SILENT] }, { sent: ["WHY"] }),
    says("the end of the run", { continue: false, stopReason: "STOP" }),
  ]);
});

it("a permission", async () => {
  const decision = (given: object) => own("PermissionRequest", { decision: given });
  const rule = { toolName: "Bash", ruleContent: "touch:*" };
  const update = { type: "addRules", rules: [rule], behavior: "allow", destination: "session" };
  await expectSame(
    "PermissionRequest",
    [
      { what: "nothing" },
      { what: "plain text", stdout: "words" },
      says("unknown keys", { status: "ok" }),
      says("allow", decision({ behavior: "allow" })),
      says("allow another input", decision({ behavior: "allow", updatedInput: { command: "touch other" } })),
      says(
        "allow another input, with an unknown key",
        decision({ behavior: "allow", updatedInput: { command: "touch other" }, more: 1 }),
      ),
      says("deny", decision({ behavior: "deny", message: "WHY" })),
      says("deny without a message", decision({ behavior: "deny" })),
      says("deny with an unknown key", decision({ behavior: "deny", message: "WHY", more: 1 })),
      says("allow, and all others like it", decision({ behavior: "allow", updatedPermissions: [update] })),
      { what: "a call that needs no permission any more" },
    ],
    seenWithoutHost,
  );
});

it("the start of a session", async () => {
  await expectSame(
    "SessionStart",
    [
      { what: "plain text", stdout: "plain words" },
      { what: "a number", stdout: "42" },
      { what: "broken JSON", stdout: "{broken" },
      { what: "an error", exit: 1, stderr: "boom", stdout: "words" },
      { what: "exit code 2", exit: 2, stderr: "WHY" },
      says("context", own("SessionStart", { additionalContext: "CTX" })),
      says("context with an unknown key", own("SessionStart", { additionalContext: "CTX", more: 1 })),
      says("unknown keys", { status: "ok" }),
      says("a first message", own("SessionStart", { initialUserMessage: "FIRST" })),
    ],
    seenAtStart,
  );
});
