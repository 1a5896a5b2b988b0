import { createHooks, deny } from "tenterhook";
import { createHooks as createPlainHooks, defaultPorts } from "tenterhook/core";
import { expect, it } from "vitest";

const CALL = {
  hook_event_name: "PreToolUse",
  session_id: "s",
  cwd: "/",
  tool_name: "Bash",
  tool_input: { command: "ls" },
} as const;

const never = (): Promise<undefined> => new Promise(() => {});
const soon = async (): Promise<undefined> => undefined;

it("a hook that never answers has its own deadline, whatever answered before and comes after", async () => {
  const hooks = createHooks();
  for (const name of ["a", "b", "c"]) hooks.on("PreToolUse", { name }, soon);
  hooks.on("PreToolUse", { name: "stuck", timeout: 0.02 }, never);
  hooks.on("PreToolUse", { name: "d" }, soon);
  hooks.on("PreToolUse", { name: "stuck too", timeout: 0.02 }, never);
  hooks.on("PreToolUse", { name: "e" }, soon);
  const { action, runs } = await hooks.fire(CALL);
  expect([action, runs.map(({ name, failure }) => [name, failure?.kind])]).toEqual([
    "deny",
    [
      ["a", undefined],
      ["b", undefined],
      ["c", undefined],
      ["stuck", "timeout"],
      ["d", undefined],
      ["stuck too", "timeout"],
      ["e", undefined],
    ],
  ]);
});

it("a hook that answers at once is not watched: only a slow one sets a timer", async () => {
  const ports = defaultPorts();
  let timers = 0;
  const after: typeof ports.clock.after = (milliseconds, run) => {
    timers += 1;
    return ports.clock.after(milliseconds, run);
  };
  const hooks = createPlainHooks({}, { ...ports, clock: { ...ports.clock, after } });
  for (const name of ["a", "b", "c"]) hooks.on("PreToolUse", { name }, soon);
  await hooks.fire(CALL);
  const quick = timers;
  hooks.on("PreToolUse", { name: "slow" }, () => new Promise((resolve) => setImmediate(resolve, undefined)));
  await hooks.fire(CALL);
  expect([quick, timers]).toEqual([0, 1]);
});

it("parallel hooks that never answer each have their own deadline", async () => {
  const hooks = createHooks();
  hooks.on("PreToolUse", { name: "short", parallel: true, timeout: 0.02 }, never);
  hooks.on("PreToolUse", { name: "long", parallel: true, timeout: 0.08 }, never);
  const { action, runs } = await hooks.fire(CALL);
  expect([action, runs.map(({ name, failure }) => [name, failure?.kind])]).toEqual([
    "deny",
    [
      ["short", "timeout"],
      ["long", "timeout"],
    ],
  ]);
});

it.each<[string, () => AbortSignal | undefined]>([
  ["its neighbour's time is up", () => undefined],
  [
    "the caller cancels",
    () => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 0);
      return controller.signal;
    },
  ],
])("the signal of a hook that has answered is not aborted when %s", async (_, signal) => {
  const hooks = createHooks();
  const signals: AbortSignal[] = [];
  hooks.on("PreToolUse", { parallel: true, timeout: 0.02 }, async (__, context) => {
    signals.push(context.signal);
  });
  hooks.on("PreToolUse", { parallel: true, timeout: 0.02 }, (__, context) => {
    signals.push(context.signal);
    return never();
  });
  const { action } = await hooks.fire(CALL, { signal: signal() });
  expect([action, signals.map(({ aborted }) => aborted)]).toEqual(["deny", [false, true]]);
});

it("sets that decide in turns each enforce their hooks' deadlines", async () => {
  const quick = createHooks();
  const stuck = createHooks();
  quick.on("PreToolUse", soon);
  stuck.on("PreToolUse", { matcher: { tools: ["Read"] } }, soon);
  stuck.on("PreToolUse", { matcher: { tools: ["Bash"] }, timeout: 0.02 }, never);
  for (let turn = 0; turn < 20; turn += 1) {
    await quick.fire(CALL);
    await stuck.fire({ ...CALL, tool_name: "Read" });
  }
  const [first, second] = await Promise.all([stuck.fire(CALL), stuck.fire(CALL), quick.fire(CALL)]);
  expect([first.runs[0]?.failure?.kind, second.runs[0]?.failure?.kind]).toEqual(["timeout", "timeout"]);
});

it.each<[string, (abort: () => void) => unknown]>([
  ["at once", (abort) => abort()],
  ["a moment later", (abort) => setTimeout(abort, 0)],
  ["later", (abort) => setTimeout(abort, 20)],
])("a cancel %s is heard while a hook is waited for", async (_, when) => {
  const hooks = createHooks();
  hooks.on("PreToolUse", soon);
  hooks.on("PreToolUse", never);
  hooks.on("PreToolUse", soon);
  const controller = new AbortController();
  const deciding = hooks.fire(CALL, { signal: controller.signal });
  when(() => controller.abort());
  const { action, runs } = await deciding;
  const kinds = runs.map(({ failure }) => failure?.kind);
  expect([action, kinds]).toEqual(["deny", [undefined, "cancelled", "cancelled"]]);
});

it("the time a hook works synchronously counts towards its timeout", async () => {
  const hooks = createHooks();
  hooks.on("PreToolUse", { timeout: 0.1 }, () => {
    const end = performance.now() + 80;
    while (performance.now() < end);
    return new Promise((resolve) => setTimeout(resolve, 60, undefined));
  });
  const { action, runs } = await hooks.fire(CALL);
  expect([action, runs[0]?.failure?.kind]).toEqual(["deny", "timeout"]);
});

it("an answer counts that a hook gives in the moment in which it cancels the event itself", async () => {
  const hooks = createHooks();
  const controller = new AbortController();
  hooks.on("PreToolUse", async () => {
    controller.abort();
    return deny("The run is over.");
  });
  const { action, reason } = await hooks.fire(CALL, { signal: controller.signal });
  expect([action, reason]).toEqual(["deny", "The run is over."]);
});
