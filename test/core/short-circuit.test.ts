import { allow, ask, context, createHooks, deny, type HookOptions } from "tenterhook";
import { describe, expect, it } from "vitest";
import { bashCall } from "../support/events.ts";

const seen: string[] = [];

/** A set whose first hook answers this, with two more behind it. */
function threeHooks(
  answer: () => ReturnType<typeof deny | typeof ask | typeof allow | typeof context>,
  options: HookOptions,
) {
  const hooks = createHooks();
  seen.length = 0;
  hooks.on("PreToolUse", { name: "first", ...options }, answer);
  for (const name of ["second", "third"])
    hooks.on(
      "PreToolUse",
      { name, ...(options.parallel === true && name === "second" ? { parallel: true } : {}) },
      () => {
        seen.push(name);
        return deny(name);
      },
    );
  return hooks;
}

describe("short_circuit", () => {
  it("ends the plan at a deny of its hook, and later hooks are recorded as skipped", async () => {
    const { action, reason, runs } = await threeHooks(() => deny("No."), { short_circuit: true }).fire(
      bashCall(),
    );
    expect([action, reason, seen]).toEqual(["deny", "No.", []]);
    expect(runs.map(({ name, skipped, failure }) => [name, skipped, failure])).toEqual([
      ["first", undefined, undefined],
      ["second", "short_circuit", undefined],
      ["third", "short_circuit", undefined],
    ]);
  });

  it("is off by default", async () => {
    const hooks = threeHooks(() => deny("No."), {});
    expect(hooks.list()[0]?.short_circuit).toBe(false);
    expect((await hooks.fire(bashCall())).reason).toBe("No.\nsecond\nthird");
  });

  it.each([
    ["ask", () => ask("Sure?")],
    ["allow", () => allow()],
    ["context", () => context("Hm.")],
  ])("does nothing at %s", async (_, answer) => {
    const { action } = await threeHooks(answer, { short_circuit: true }).fire(bashCall());
    expect([action, seen]).toEqual(["deny", ["second", "third"]]);
  });

  it("does nothing when its hook fails, which refuses by itself", async () => {
    const fails = () => {
      throw new Error("broken");
    };
    await threeHooks(fails, { short_circuit: true }).fire(bashCall());
    expect(seen).toEqual(["second", "third"]);
  });

  it("lets the parallel hooks next to it finish", async () => {
    const hooks = threeHooks(() => deny("No."), { short_circuit: true, parallel: true });
    expect((await hooks.fire(bashCall())).reason).toBe("No.\nsecond");
    expect(seen).toEqual(["second"]);
  });
});
