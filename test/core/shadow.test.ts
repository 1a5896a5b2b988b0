import { describe, expect, it } from "vitest";
import { ask, context, createHooks, deny, type HookRun, rewrite } from "../../src/index.ts";

const CALL = {
  hook_event_name: "PreToolUse",
  session_id: "s",
  cwd: "/project",
  tool_name: "Bash",
  tool_input: { command: "ls" },
} as const;

const SHADOW = { mode: "shadow" } as const;

describe("a shadow hook", () => {
  it("is recorded with what it would have done, and changes nothing", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { ...SHADOW, name: "strict" }, () => [deny("No."), context("A note.")]);
    hooks.on("PreToolUse", { ...SHADOW, name: "broken" }, () => {
      throw new Error("Bad day.");
    });
    const decision = await hooks.fire(CALL);
    expect(decision).toMatchObject({ action: "continue", context: [], user_messages: [] });
    expect(decision.runs).toMatchObject([
      { name: "strict", shadow: true, would: { action: "deny", reason: "No.", context: ["A note."] } },
      { name: "broken", shadow: true, failure: { message: expect.stringContaining("Bad day.") } },
    ]);
    expect(decision.runs[0]).not.toHaveProperty("outcome");
    expect(hooks.stats()).toMatchObject([{ denials: 0 }, {}]);
  });

  it("sees the event as the others left it, whatever its priority", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("PreToolUse", { ...SHADOW, priority: 1 }, ({ tool_input }) => {
      seen.push(tool_input);
      return rewrite({ command: "never" });
    });
    hooks.on("PreToolUse", { priority: 50 }, () => rewrite({ command: "ls -a" }));
    expect((await hooks.fire(CALL)).input).toEqual({ command: "ls -a" });
    expect(seen).toEqual([{ command: "ls -a" }]);
  });

  it("holds up nothing: what it answers later is reported when it comes", async () => {
    const hooks = createHooks();
    let answer = (_: unknown): void => {};
    const ended: HookRun[] = [];
    hooks.observe({ onRun: (notice) => void (notice.type === "end" && ended.push(notice.run)) });
    hooks.on("PreToolUse", { ...SHADOW, name: "slow" }, async () => {
      await new Promise((resolve) => {
        answer = resolve;
      });
      return deny("Too late to matter.");
    });
    expect((await hooks.fire(CALL)).runs).toEqual([]);
    answer(undefined);
    await hooks.settled();
    expect(ended).toMatchObject([{ name: "slow", shadow: true, async: true, would: { action: "deny" } }]);
  });

  it("has its own once, and a matcher that throws refuses nothing", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { ...SHADOW, once: true }, () => ask("Sure?"));
    expect((await hooks.fire(CALL)).runs).toHaveLength(1);
    expect((await hooks.fire(CALL)).runs).toHaveLength(0);
  });

  it("leaves the decision about every input as it is", async () => {
    const random = mulberry(7);
    const plain = createHooks();
    const shadowed = createHooks();
    const said = (number: number) =>
      [undefined, deny("d"), ask("a"), context("c"), rewrite({ command: "7" })][number % 5];
    for (let at = 0; at < 5; at += 1) {
      const priority = Math.floor(random() * 100);
      for (const hooks of [plain, shadowed])
        hooks.on("PreToolUse", { name: `real-${at}`, priority }, ({ tool_input }) => {
          const number = Number(tool_input.command);
          return number % (at + 2) === 0 ? said(number) : undefined;
        });
      shadowed.on(
        "PreToolUse",
        { ...SHADOW, name: `shadow-${at}`, priority: priority - 1 },
        ({ tool_input }) => {
          const number = Number(tool_input.command);
          if (number % 7 === at) throw new Error("Bad day.");
          return said(number);
        },
      );
    }
    // What the hooks say depends on the remainders by 2 to 7.
    for (let number = 0; number < 420; number += 1) {
      const event = { ...CALL, tool_input: { command: String(number) } };
      const [one, other] = await Promise.all([plain.fire(event), shadowed.fire(event)]);
      expect({ ...other, runs: [] }).toEqual({ ...one, runs: [] });
    }
  });
});

function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}
