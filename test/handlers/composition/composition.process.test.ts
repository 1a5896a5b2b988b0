import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { createHooks, type Decision, type HookDefinition } from "tenterhook";
import { afterAll, describe, expect, it } from "vitest";
import { bashCall, HERE } from "../../support/events.ts";
import { runs } from "../../support/long.ts";
import { eventually } from "../../support/processes.ts";
import { heldTimeout } from "../support/commands.ts";

type Composition = "all" | "any" | "first";
type Parts = NonNullable<HookDefinition["all"]>;

const rules = (line: string) => ({ type: "inline", rules: line }) as const;
const DENY = rules('command exists -> deny("no")');
const ASK = rules('command exists -> ask("sure?")');
const ALLOW = rules('command exists -> allow("yes")');
const ABORT = rules('command exists -> stop("end")');
const TELL = rules('command exists -> context("told")');
const CHANGE = rules('command exists -> set(args.command, "{{args.command}}!")');
const NO_CHANGED_TWICE = rules('command ends_with "!!" -> deny("changed twice")');
const NO_CHANGED = rules('command ends_with "!" -> deny("changed")');
const NOTHING = rules('command equals "other" -> deny("never")');
/** Fails as `missing`. */
const FAIL = { type: "module", module: "./tenterhook-none.mjs" };
const ROOT = tmpdir();
const NO_FILE = `There is no file ${join(ROOT, "tenterhook-none.mjs")}.`;

const OWN_ROOT = mkdtempSync(join(ROOT, "tenterhook-composition-"));
afterAll(() => rmSync(OWN_ROOT, { recursive: true }));
const SLOW_MODULE = join(OWN_ROOT, "slow.mjs");
const BEGUN = join(OWN_ROOT, "begun");
writeFileSync(
  SLOW_MODULE,
  `import { writeFileSync } from "node:fs";
export default () => { writeFileSync(${JSON.stringify(BEGUN)}, ""); return new Promise(() => {}); };`,
);

const ON = { events: ["PreToolUse"] } as const;

async function decided(
  type: Composition,
  parts: Parts,
  more: Partial<HookDefinition> = {},
): Promise<Decision> {
  const hooks = createHooks();
  await hooks.add({ name: "composed", type, [type]: parts, matcher: ON, ...more }, { root: ROOT });
  const decision = await hooks.fire(bashCall());
  await hooks.close();
  return decision;
}

it.each<Composition>(["all", "any", "first"])(
  "%s copies no conversation that its parts do not read",
  async (type) => {
    const hooks = createHooks();
    await hooks.add({ name: "composed", type, [type]: [NOTHING, DENY], matcher: ON }, { root: ROOT });
    let reads = 0;
    const agent = {
      id: "a",
      type: "root",
      get messages() {
        reads += 1;
        return [];
      },
    };
    const { reason } = await hooks.fire(bashCall(), { agent });
    await hooks.close();
    expect([reason, reads]).toEqual([type === "any" ? undefined : "no", 0]);
  },
);

/** What matters of a decision, in one line. */
function inShort({ action, reason, context, input, abort }: Decision): string {
  return [
    reason === undefined ? action : `${action}: ${reason}`,
    ...context.map(({ text }) => `context ${text}`),
    ...(input === undefined ? [] : [`input ${String(input.command)}`]),
    ...(abort === undefined ? [] : ["abort"]),
  ].join(", ");
}

it("a part may be of a type by its other name, and one without a model fails", async () => {
  const judge = { type: "prompt", prompt: "Deny what loses work." };
  const decision = await decided("first", [judge, { type: "agent", prompt: "Look." }, DENY]);
  expect(decision.runs[0]?.failure?.message).toMatch(/^part 1 \(llm\): No model is named/);
  expect((await decided("all", [{ type: "agent", prompt: "Look." }])).runs[0]?.failure).toEqual({
    kind: "missing",
    message: expect.stringMatching(/^part 1 \(agent\): No model is named: set models\.judge, or a key/),
  });
});

describe("all asks every part and merges as the engine does", () => {
  it.each<[string, Parts, string]>([
    ["a deny is stronger", [ALLOW, DENY, ASK], "deny: no"],
    ["an ask is stronger than an allow", [ALLOW, ASK, NOTHING], "ask: sure?"],
    ["everything else is kept", [DENY, TELL, CHANGE], "deny: no, context told, input ls!"],
    ["rewrites are made one after the other", [CHANGE, CHANGE, TELL], "continue, context told, input ls!!"],
    ["each part sees the input as the ones before left it", [CHANGE, NO_CHANGED], "deny: changed, input ls!"],
    [
      "also a part before the change is asked about the last input",
      [NO_CHANGED, CHANGE],
      "deny: changed, input ls!",
    ],
    ["nobody is asked after an abort", [ABORT, TELL], "deny: end, abort"],
    ["nothing said is no opinion", [NOTHING, NOTHING], "continue"],
  ])("%s", async (_, parts, expected) => {
    expect(inShort(await decided("all", parts))).toBe(expected);
  });

  it("an allow is for the input it was given to", async () => {
    const once = rules('command equals "ls" -> allow("plain ls")');
    expect(inShort(await decided("all", [once, CHANGE]))).toBe("continue, input ls!");
    expect(inShort(await decided("all", [ALLOW, CHANGE]))).toBe("allow: yes, input ls!");
  });

  it("is the same as so many hooks", async () => {
    const part = fc.constantFrom(
      DENY,
      ASK,
      ALLOW,
      TELL,
      CHANGE,
      NO_CHANGED,
      NO_CHANGED_TWICE,
      NOTHING,
      ABORT,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 5 }), async (parts) => {
        const apart = createHooks();
        for (const [at, one] of parts.entries()) await apart.add({ name: `${at}`, matcher: ON, ...one });
        // The engine asks no further gate about a rewritten input once one has refused it; a composition is one gate.
        const verdict = ({ reason, ...rest }: Decision): string =>
          inShort(reason === undefined ? rest : { ...rest, reason: reason.replace(/\n.*/s, "") });
        expect(verdict(await decided("all", parts))).toBe(verdict(await apart.fire(bashCall())));
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("any refuses only when every part does", () => {
  it.each<[string, Parts, string]>([
    ["all of them deny", [DENY, DENY], "deny: no"],
    ["one has no opinion", [DENY, NOTHING], "continue"],
    ["one allows", [DENY, ALLOW], "allow: yes"],
    ["one asks", [DENY, ASK], "ask: sure?"],
    ["what else was said is kept", [DENY, TELL, CHANGE], "continue, context told, input ls!"],
    ["an abort ends the run whatever others say", [NOTHING, ABORT], "deny: end, abort"],
  ])("%s", async (_, parts, expected) => {
    expect(inShort(await decided("any", parts))).toBe(expected);
  });

  it("on Stop the agent goes on only when every part says so", async () => {
    const hooks = createHooks();
    const says = (reply: object) => ({ type: "command", command: ["echo", JSON.stringify(reply)] });
    const goOn = says({ decision: "block", reason: "go on" });
    for (const [name, parts] of Object.entries({ both: [goOn, goOn], one: [goOn, says({})] }))
      await hooks.add({ name, type: "any", any: parts, matcher: { events: ["Stop"] } });
    const { keep_going, runs: records } = await hooks.fire({ ...HERE, hook_event_name: "Stop" });
    expect([keep_going?.reason, records.map(({ outcome }) => outcome?.keep_going)]).toEqual([
      "go on\ngo on",
      ["go on", undefined],
    ]);
  });
});

describe("first takes the first part that has an opinion", () => {
  it.each<[string, Parts, string]>([
    ["the first", [ALLOW, DENY], "allow: yes"],
    ["after one that has none", [NOTHING, DENY, ALLOW], "deny: no"],
    ["remarks are no opinion and are kept", [TELL, ASK, DENY], "ask: sure?, context told"],
    ["a change is an opinion", [CHANGE, TELL], "continue, input ls!"],
    ["what was changed is judged by the parts after it", [CHANGE, NO_CHANGED], "deny: changed, input ls!"],
    ["nobody has one", [NOTHING, NOTHING], "continue"],
  ])("%s", async (_, parts, expected) => {
    expect(inShort(await decided("first", parts))).toBe(expected);
  });
});

describe("a part that fails opens nothing", () => {
  const MISSING = `part 1 (module): ${NO_FILE}`;
  const CLOSED = `deny: Hook "composed" failed (missing): ${MISSING}`;
  it.each<[Composition, Parts, closed: string, open: string]>([
    ["all", [FAIL, NOTHING], CLOSED, "continue"],
    ["all", [FAIL, ALLOW, CHANGE], CLOSED, "continue"],
    ["all", [FAIL, DENY], "deny: no", "deny: no"],
    ["all", [FAIL, ASK], CLOSED, "ask: sure?"],
    ["any", [FAIL, NOTHING], "continue", "continue"],
    ["any", [FAIL, ALLOW], "allow: yes", "allow: yes"],
    ["any", [FAIL, DENY], "deny: no", "deny: no"],
    ["any", [FAIL], CLOSED, "continue"],
    ["first", [FAIL, ALLOW], CLOSED, "continue"],
    ["first", [FAIL, NOTHING, DENY], "deny: no", "deny: no"],
    ["first", [FAIL], CLOSED, "continue"],
  ])("%s of %j", async (type, parts, closed, open) => {
    const decisions = [await decided(type, parts), await decided(type, parts, { on_failure: "open" })];
    expect(decisions.map(inShort)).toEqual([expect.stringContaining(closed), open]);
  });

  it("nor does one that is let through hide one that is not, in whatever order and depth", async () => {
    const broken = { type: "command", command: "exit 3" };
    const on_failure = { missing: "open", error: "ask", default: "closed" } as const;
    const lists: readonly Parts[] = [
      [FAIL, broken],
      [broken, FAIL],
      [{ type: "all", all: [FAIL, broken] }],
      [FAIL, { type: "first", first: [FAIL, broken] }],
    ];
    for (const parts of lists) expect((await decided("all", parts, { on_failure })).action).toBe("ask");
    expect((await decided("any", [FAIL, broken], { on_failure })).action).toBe("ask");
    expect((await decided("all", [FAIL, FAIL], { on_failure })).action).toBe("continue");
  });

  it("and is told where another one passed", async () => {
    const { user_messages } = await decided("any", [FAIL, NOTHING]);
    expect(user_messages).toMatchObject([
      { text: `A part failed (missing), another one passed it: ${MISSING}`, level: "warning" },
    ]);
  });
});

describe("compositions", () => {
  it("compositions hold compositions", async () => {
    const parts = [
      { type: "any", any: [DENY, NOTHING] },
      { type: "first", first: [NOTHING, { type: "all", all: [TELL, ASK] }] },
    ];
    expect(inShort(await decided("all", parts))).toBe("ask: sure?, context told");
  });

  it("run out of time as one, and ask nobody after that", async () => {
    const slow = { type: "command", command: ["sleep", "600"] };
    const { action, runs: records } = await decided("all", [slow, ALLOW], { timeout: 0.2 });
    expect([action, records[0]?.failure?.kind]).toEqual(["deny", "timeout"]);
  });

  it.each([
    ["a program", { type: "command", command: `touch ${BEGUN}; sleep 600` }],
    ["a module", { type: "module", module: SLOW_MODULE }],
  ])("keep what was refused before %s ran out of time", async (_, slow) => {
    const { timeout, end } = heldTimeout();
    const late = async (...parts: Parts): Promise<Decision> => {
      rmSync(BEGUN, { force: true });
      const deciding = decided("all", parts, { timeout, on_failure: "open" });
      await eventually(() => expect(existsSync(BEGUN)).toBe(true));
      end();
      return deciding;
    };
    for (const parts of [
      [DENY, slow],
      [DENY, slow, NOTHING],
    ])
      expect(await late(...parts)).toMatchObject({
        action: "deny",
        reason: "no",
        runs: [{ outcome: { action: "deny" }, failure: { kind: "timeout" } }],
      });
    expect((await late(ALLOW, CHANGE, slow)).action).toBe("continue");
  });

  it("tell how what their parts keep alive is doing, and end it", async () => {
    const hooks = createHooks();
    const persistent = { type: "command", mode: "persistent", command: ["cat"] };
    await hooks.add({ name: "c", type: "all", all: [NOTHING, persistent], matcher: ON });
    await hooks.fire(bashCall());
    expect(hooks.stats()[0]?.health).toMatch(/^part 2 \(command\): ./);
    await hooks.close();
  });

  it("say which part will fail for certain", async () => {
    const hooks = createHooks();
    await hooks.add({ name: "c", type: "first", first: [DENY, FAIL], matcher: ON }, { root: ROOT });
    expect(hooks.list()).toMatchObject([{ handler: "first", problem: `part 2 (module): ${NO_FILE}` }]);
  });

  it.each<[object, string, string]>([
    [
      { all: [] },
      "invalid_option",
      'Hook "c": all is []; it must be a list of handlers, each with its type.',
    ],
    [{ all: 7 }, "invalid_option", 'Hook "c": all is 7; it must be a list of handlers, each with its type.'],
    [
      { all: [{ type: "inlne" }] },
      "invalid_definition",
      'Hook "c": part 1: there is no type "inlne". Did you mean "inline"?',
    ],
    [{ all: [7] }, "invalid_definition", 'Hook "c": part 1: there is no type 7.'],
    [
      { all: [DENY, { ...DENY, url: "x" }] },
      "unknown_option",
      'Hook "c": part 2 (inline) has the unknown key "url".',
    ],
    [
      { all: [{ type: "http", url: "x" }] },
      "invalid_option",
      /^Hook "c": part 1 \(http\): url must be an address/.source,
    ],
    [{ all: [DENY], any: [DENY] }, "unknown_option", 'Hook "c" has the unknown key "any".'],
  ])("%j can't work", async (more, code, message) => {
    const definition = { name: "c", type: "all", matcher: ON, ...more };
    const adding = createHooks().add(definition as HookDefinition);
    await expect(adding).rejects.toMatchObject({ code });
    await expect(adding).rejects.toThrow(message.startsWith("^") ? new RegExp(message) : message);
  });
});
