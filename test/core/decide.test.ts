import fc from "fast-check";
import {
  allow,
  ask,
  context,
  createHooks,
  type Decision,
  deny,
  type HookOptions,
  type Hooks,
  type Outcome,
  type RunEvent,
  rewrite,
} from "tenterhook";
import { internals } from "tenterhook/core";
import { describe, expect, it } from "vitest";
import { bashCall } from "../support/events.ts";
import { runs } from "../support/long.ts";

const NAMES = ["a", "b", "c", "d"] as const;
type Name = (typeof NAMES)[number];

/** A hook drawn at random: what it does, and when it answers. */
type Drawn = {
  readonly does:
    | { readonly type: "gate"; readonly refuses: Name; readonly path: Name | undefined }
    | {
        readonly type: "rewriter";
        readonly field: "command" | "file_path";
        readonly to: Name;
        readonly path: Name | undefined;
      }
    | { readonly type: "says"; readonly outcome: Outcome }
    | { readonly type: "nothing" }
    | { readonly type: "throws" };
  readonly priority: number;
  readonly parallel: boolean;
  readonly open: boolean;
  readonly wait: "none" | "microtask" | "timer";
};

const name = fc.constantFrom(...NAMES);
const path = fc.option(name, { nil: undefined });
const drawnHook: fc.Arbitrary<Drawn> = fc.record({
  does: fc.oneof(
    fc.record({ type: fc.constant("gate" as const), refuses: name, path }),
    fc.record({
      type: fc.constant("rewriter" as const),
      field: fc.constantFrom("command" as const, "file_path" as const),
      to: name,
      path,
    }),
    fc.record({
      type: fc.constant("says" as const),
      outcome: fc.constantFrom<Outcome>(allow("yes"), ask("sure?"), deny("no"), context("more")),
    }),
    fc.constant({ type: "nothing" as const }),
    fc.constant({ type: "throws" as const }),
  ),
  priority: fc.integer({ min: 1, max: 3 }),
  parallel: fc.boolean(),
  open: fc.boolean(),
  wait: fc.constantFrom("none" as const, "microtask" as const, "timer" as const),
});
const drawnHooks = fc.array(drawnHook, { maxLength: 8 });

function answerOf(drawn: Drawn, input: Readonly<Record<string, unknown>>): Outcome | undefined {
  switch (drawn.does.type) {
    case "gate":
      return input.command === drawn.does.refuses ? deny(`not ${drawn.does.refuses}`) : undefined;
    case "rewriter": {
      const { field, to } = drawn.does;
      return rewrite<Record<string, unknown>>((old) => ({ ...old, [field]: to }));
    }
    case "says":
      return drawn.does.outcome;
    case "throws":
      throw new Error("drawn to throw");
    default:
      return undefined;
  }
}

function install(hooks: Hooks, drawn: Drawn, waits = drawn.wait): void {
  const pattern = "path" in drawn.does ? drawn.does.path : undefined;
  const options: HookOptions<string> = {
    priority: drawn.priority,
    parallel: drawn.parallel,
    on_failure: drawn.open ? "open" : "closed",
    ...(pattern !== undefined && { path_patterns: pattern }),
  };
  internals(hooks).register("PreToolUse", options, {
    type: "function",
    run: (event) => {
      const input = Object(event.tool_input);
      if (waits === "none") return answerOf(drawn, input);
      const pause =
        waits === "timer"
          ? new Promise((resolve) => setTimeout(resolve, Math.random() * 2))
          : Promise.resolve();
      return pause.then(() => answerOf(drawn, input));
    },
  });
}

function build(all: readonly Drawn[], wait?: Drawn["wait"]): Hooks {
  const hooks = createHooks();
  for (const drawn of all) install(hooks, drawn, wait ?? drawn.wait);
  return hooks;
}

const event = (): ReturnType<typeof bashCall> =>
  bashCall("", { tool_input: { command: "a", file_path: "a", keep: [1, { x: 2 }] } });

/** What a decision says, without records and times. */
function essence({ action, reason, input, context: items, user_messages, abort }: Decision): object {
  return { action, reason, input, items, user_messages, abort };
}

describe("laws of deciding", () => {
  it("the merged action never depends on timing", async () => {
    await fc.assert(
      fc.asyncProperty(drawnHooks, async (all) => {
        const mixed = essence(await build(all).fire(event()));
        const prompt = essence(await build(all, "none").fire(event()));
        expect(mixed).toEqual(prompt);
      }),
      { numRuns: runs(30) },
    );
  });

  it("deny anywhere gives deny", async () => {
    await fc.assert(
      fc.asyncProperty(drawnHooks, drawnHook, fc.nat(), async (all, other, at) => {
        const denier: Drawn = { ...other, does: { type: "says", outcome: deny("no") } };
        const hooks = build(all.toSpliced(at % (all.length + 1), 0, denier));
        expect((await hooks.fire(event())).action).toBe("deny");
      }),
      { numRuns: runs(30) },
    );
  });

  it("adding a hook without an opinion changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(drawnHooks, drawnHook, fc.nat(), async (all, other, at) => {
        // A silent hook between two parallel ones that is not parallel itself would part the group.
        const silent: Drawn = { ...other, does: { type: "nothing" }, parallel: true };
        const before = essence(await build(all.map((drawn) => ({ ...drawn, parallel: true }))).fire(event()));
        const more = all
          .map((drawn) => ({ ...drawn, parallel: true }))
          .toSpliced(at % (all.length + 1), 0, silent);
        const after = essence(await build(more).fire(event()));
        expect(withoutHookNames(after)).toEqual(withoutHookNames(before));
      }),
      { numRuns: runs(30) },
    );
  });

  it("a rewrite never mutates its input", async () => {
    await fc.assert(
      fc.asyncProperty(drawnHooks, fc.jsonValue(), async (all, extra) => {
        const tool_input = { command: "a", file_path: "a", extra };
        const before = structuredClone(tool_input);
        const hooks = build(all);
        hooks.on("PreToolUse", { priority: 0, on_failure: "open" }, ({ tool_input: seen }) => {
          Object.assign(Object(seen.extra), { rude: true });
        });
        await hooks.fire(bashCall("", { tool_input }));
        expect(tool_input).toEqual(before);
      }),
      { numRuns: runs(30) },
    );
  });

  it("no final input escapes a gate that would deny it", async () => {
    await fc.assert(
      fc.asyncProperty(drawnHooks, async (all) => {
        const decision = await build(all).fire(event());
        if (decision.action === "deny") return;
        const input = decision.input ?? event().tool_input;
        for (const { does } of all) {
          if (does.type !== "gate" || (does.path !== undefined && does.path !== input.file_path)) continue;
          expect(input.command).not.toBe(does.refuses);
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it("begins and ends are always balanced, whatever fails, hangs or is cancelled", async () => {
    const hang = fc.record({
      hangs: fc.boolean(),
      cancelAfter: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(drawnHooks, hang, async (all, { hangs, cancelAfter }) => {
        const hooks = build(all);
        const events: RunEvent[] = [];
        hooks.observe({ onRun: (event) => events.push(event) });
        if (hangs)
          hooks.on("PreToolUse", { priority: 2, timeout: 0.005 }, () => new Promise<undefined>(() => {}));
        hooks.on("PreToolUse", { async: true, timeout: 0.005 }, () => new Promise<undefined>(() => {}));
        const controller = new AbortController();
        if (cancelAfter !== undefined) setTimeout(() => controller.abort(), cancelAfter);
        await hooks.fire(event(), { signal: controller.signal });
        await hooks.settled();
        const open = new Set<string>();
        for (const { type, run_id } of events) {
          if (type === "begin") {
            expect(open.has(run_id)).toBe(false);
            open.add(run_id);
          } else expect(type === "end" ? open.delete(run_id) : open.has(run_id)).toBe(true);
        }
        expect([...open]).toEqual([]);
      }),
      { numRuns: runs(30) },
    );
  });
});

/** Names hold a number that an added hook moves. */
function withoutHookNames(value: object): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/PreToolUse#\d+/g, "hook"));
}
