import { createHooks, type Hooks } from "tenterhook";
import { createHooks as createCoreHooks, internals } from "tenterhook/core";
import { expect, test } from "vitest";
import { bashCall } from "../support/events.ts";
import { filesBelow, read } from "./support/files.ts";

/** Everything that users see of a hook set. The compiler refuses a name too many or too few. */
const SHOWN: Readonly<Record<keyof Hooks, true>> = {
  add: true,
  checkpoint: true,
  close: true,
  configure: true,
  decide: true,
  declare: true,
  disable: true,
  enable: true,
  error: true,
  fire: true,
  fireUntyped: true,
  include: true,
  limits: true,
  list: true,
  memoryUpdate: true,
  modelSwitch: true,
  observe: true,
  on: true,
  session: true,
  settled: true,
  stats: true,
  toolCall: true,
  tryToolCall: true,
  use: true,
};

test("a hook set shows users what is theirs, and every part of it is in a guide", () => {
  expect(Object.keys(createHooks()).sort()).toEqual(Object.keys(SHOWN));
  const guides = filesBelow("docs/guides", /\.md$/).map(read).join("\n");
  expect(Object.keys(SHOWN).filter((name) => !guides.includes(`hooks.${name}`))).toEqual([]);
});

test("internals of tenterhook/core finds the rest, in a copy of a set too", async () => {
  const hooks = createHooks();
  const set = internals({ ...hooks });
  const hook = set.prepare("PreToolUse", { name: "late" }, { type: "mine", run: () => undefined });
  expect(hooks.list()).toEqual([]);
  set.replace([], [hook]);
  expect([set.wants("PreToolUse"), set.wants("Stop")]).toEqual([true, false]);
  expect((await hooks.fire(bashCall())).runs).toMatchObject([{ name: "late" }]);
});

test("internals refuses what is no hook set", () => {
  const described: unknown = Object.fromEntries(Object.entries(createHooks()));
  for (const given of [described, undefined, "hooks"])
    expect(() => Reflect.apply(internals, undefined, [given])).toThrow(
      "This takes a hook set made by createHooks.",
    );
});

test("a set of tenterhook/core says which set can have hooks of definitions", async () => {
  const { definitions } = internals(createCoreHooks());
  expect(await definitions.handles("inline")).toBe(false);
  await expect(
    definitions.prepare({ name: "a", type: "inline", matcher: { events: "Stop" } }, { root: "/" }),
  ).rejects.toThrow('this set has no handler of the type "inline". Make it by createHooks of "tenterhook".');
});
