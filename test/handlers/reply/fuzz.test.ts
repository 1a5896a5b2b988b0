import fc from "fast-check";
import { EVENTS, type EventName, HookFailureError, type Outcome } from "tenterhook";
import { expect, it } from "vitest";
import { readExit } from "../../../src/handlers/reply/read-exit.ts";
import { decodeReply, readReplyText, readReplyValue } from "../../../src/handlers/reply/read-reply.ts";
import { anyText } from "../../support/any-text.ts";
import { runs } from "../../support/long.ts";
import { anEvent } from "./support.ts";

const eventName = fc.constantFrom<EventName>(
  ...Object.keys(EVENTS).filter((name): name is EventName => name in EVENTS),
);

/** Replies that are right on PreToolUse, and open something. */
const OPENING: readonly object[] = [
  { decision: "approve", reason: "fine" },
  { action: "allow", reason: "fine" },
  { action: "modify", modified_data: { args: { command: "ls" } } },
  {
    continue: true,
    systemMessage: "hi",
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "allow",
      permissionDecisionReason: "fine",
      updatedInput: { command: "ls" },
      additionalContext: "more",
    },
  },
];

/** What was read; nothing when it was a failure of the right kind that opens nothing. */
function read(reading: () => readonly Outcome[]): readonly Outcome[] {
  try {
    return reading();
  } catch (error) {
    if (!(error instanceof HookFailureError)) throw error;
    expect(error.refusals.filter(opens)).toEqual([]);
    return [];
  }
}

const opens = ({ type }: Outcome): boolean => type === "allow" || type === "rewrite";

/** Every way to say yes or to change something has one of these words in it. */
const COULD_OPEN = /"(?:approve|allow|modify|updatedInput|updatedToolOutput|updatedMCPToolOutput)"/;

it("garbage never opens anything and never fails in another way than a hook does", () => {
  fc.assert(
    fc.property(
      eventName,
      fc.uint8Array({ maxLength: 200 }),
      fc.integer({ min: -1, max: 255 }),
      (name, bytes, exit_code) => {
        const event = anEvent(name);
        expect(read(() => readReplyText(decodeReply(bytes), event)).filter(opens)).toEqual([]);
        const text = new TextDecoder().decode(bytes);
        expect(read(() => readExit({ exit_code, stdout: text, stderr: text }, event)).filter(opens)).toEqual(
          [],
        );
      },
    ),
    { numRuns: runs(40) },
  );
});

const key = fc.constantFrom(
  ...[
    "decision",
    "reason",
    "continue",
    "stopReason",
    "hookSpecificOutput",
    "hookEventName",
    "permissionDecision",
  ],
  ...[
    "updatedInput",
    "action",
    "modified_data",
    "ok",
    "args",
    "behavior",
    "additionalContext",
    "__proto__",
    "x",
  ],
);
const leaf = fc.oneof(
  fc.constantFrom("allow", "deny", "ask", "approve", "block", "modify", "PreToolUse", "", "x"),
  fc.boolean(),
  fc.constant(null),
  fc.integer(),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.dictionary(key, tie("tree"), { maxKeys: 5 }),
    fc.array(tie("tree"), { maxLength: 3 }),
  ),
}));

it("random JSON of the words of replies opens only what says so with all its keys known", () => {
  fc.assert(
    fc.property(eventName, tree, (name, value) => {
      const event = anEvent(name);
      const outcomes = read(() => readReplyValue(value, event));
      if (!outcomes.some(opens)) return;
      expect(JSON.stringify(value)).toMatch(COULD_OPEN);
      expect(Object.keys(Object(value))).not.toContain("x");
      const text = JSON.stringify(value);
      expect(read(() => readReplyText(text, event))).toEqual(outcomes);
    }),
    { numRuns: runs(150) },
  );
});

it("a right reply with anything around it or cut off opens nothing", () => {
  fc.assert(
    fc.property(fc.constantFrom(...OPENING), fc.nat(), fc.string({ minLength: 1 }), (reply, at, noise) => {
      const event = anEvent("PreToolUse");
      const text = JSON.stringify(reply);
      fc.pre(noise.trim() !== "");
      for (const broken of [
        text.slice(0, at % text.length),
        text.slice(1 + (at % text.length)),
        text + noise,
        noise + text,
      ])
        expect([broken, read(() => readReplyText(broken, event)).filter(opens)]).toEqual([broken, []]);
    }),
    { numRuns: runs(150) },
  );
});

/** Replies that are right on PreToolUse, and refuse. */
const REFUSING: readonly object[] = [
  { decision: "block", reason: "no {1}" },
  { ok: false, reason: 'a "quoted" no' },
  { action: "deny" },
  { action: "ask" },
  { continue: false, stopReason: "enough" },
  { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" } },
];

const noise = fc.oneof(
  fc.string(),
  anyText(),
  fc.constantFrom(
    "",
    "\n",
    "{",
    "[",
    '"',
    "\0",
    "\u001b[0m",
    "```json\n",
    "data: ",
    '{"a":1}',
    "{'a'",
    "\\",
    "//",
  ),
);
const written = fc.constantFrom(
  (reply: object) => JSON.stringify(reply),
  (reply: object) => JSON.stringify(reply, null, 2),
  (reply: object) => JSON.stringify([reply]),
  (reply: object) => JSON.stringify({ output: reply }),
);

it("a right refusal with anything around it never opens a gate", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...REFUSING),
      written,
      fc.array(noise, { maxLength: 4 }),
      fc.array(noise, { maxLength: 4 }),
      (reply, write, before, after) => {
        const text = before.join("") + write(reply) + after.join("");
        expect([text, refusesOrFails(text)]).toEqual([text, true]);
      },
    ),
    { numRuns: runs(100) },
  );
});

/** True when a gate stays shut: a refusal was read, or the reply is a fault, which keeps it. */
function refusesOrFails(text: string): boolean {
  const stops = ({ type }: Outcome) => type === "deny" || type === "ask" || type === "abort";
  try {
    return readReplyText(text, anEvent("PreToolUse")).some(stops);
  } catch (error) {
    if (!(error instanceof HookFailureError)) throw error;
    return true;
  }
}

it("a right reply with one unknown key, or one value of another kind, opens nothing", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...OPENING),
      fc.nat(),
      fc.string(),
      fc.constantFrom(7, [], [{}]),
      (reply, at, unknown, wrong) => {
        const event = anEvent("PreToolUse");
        const objects = [
          reply,
          ...Object.values(reply).filter((value) => typeof value === "object" && !("args" in value)),
        ];
        const pick = objects[at % objects.length] ?? reply;
        fc.pre(
          !Object.hasOwn(pick, unknown) &&
            !["reason", "suppressOutput", "terminalSequence", "stopReason"].includes(unknown),
        );
        const changed = (change: object) =>
          pick === reply ? { ...reply, ...change } : withPart(reply, pick, { ...pick, ...change });
        const keys = Object.keys(pick);
        const known = keys[at % keys.length] ?? "";
        for (const broken of [changed({ [unknown]: "x" }), changed({ [known]: wrong })])
          expect([broken, read(() => readReplyValue(broken, event)).filter(opens)]).toEqual([broken, []]);
      },
    ),
    { numRuns: runs(100) },
  );
});

function withPart(reply: object, part: object, other: object): object {
  return Object.fromEntries(
    Object.entries(reply).map(([name, value]) => [name, value === part ? other : value]),
  );
}
