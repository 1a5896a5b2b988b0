import { createHooks } from "tenterhook";
import { compare } from "./measure.mjs";

/** @type {import("tenterhook").EventInput<"PreToolUse">} */
const EVENT = {
  hook_event_name: "PreToolUse",
  session_id: "session",
  cwd: "/project",
  tool_name: "Bash",
  tool_input: { command: "npm test" },
  tool_use_id: "call",
};

/**
 * The part of hookable that is compared; the package itself is not there by default.
 *
 * @typedef {{ hook(name: string, run: () => void): void, callHook(name: string, event: unknown): unknown }} Hookable
 */

const counted = { calls: 0 };

/** Functions of their own code, as different hooks are: one shared function would be a favour to inline caches. */
function handlers(/** @type {number} */ count) {
  return Array.from({ length: count }, () =>
    new Function("counted", "return () => { counted.calls += 1; };")(counted),
  );
}

/** @returns {(() => Promise<void>)[]} */
function asyncHandlers(/** @type {number} */ count) {
  return Array.from({ length: count }, () =>
    new Function("counted", "return async () => { counted.calls += 1; };")(counted),
  );
}

/** @param {import("tenterhook").Hooks} hooks */
function firing(hooks, events = [EVENT]) {
  return async (/** @type {number} */ times) => {
    for (let time = 0; time < times; time += 1) await hooks.fire(events[time % events.length] ?? EVENT);
  };
}

/**
 * A set of so many hooks, none of which wants the events that are fired.
 *
 * @param {number} count
 * @param {(hooks: import("tenterhook").Hooks, number: number, run: () => void) => void} add
 */
function unconcerned(count, add) {
  const hooks = createHooks();
  for (const [number, run] of handlers(count).entries()) add(hooks, number, run);
  return hooks;
}

/** Tools nobody watches; several, so that remembering the last one is not enough. */
const UNWATCHED = Array.from({ length: 16 }, (_, number) => ({ ...EVENT, tool_name: `Unwatched${number}` }));
const OTHER_EVENTS = /** @type {const} */ (["PostToolUse", "Stop", "Notification", "SessionStart"]);

/** @type {readonly { by: string, add: Parameters<typeof unconcerned>[1] }[]} */
const WAYS_NOT_TO_MATCH = [
  { by: "event", add: (hooks, number, run) => hooks.on(OTHER_EVENTS[number % 4] ?? "Stop", run) },
  { by: "tool", add: (hooks, number, run) => hooks.on("PreToolUse", { tools: [`Tool${number}`] }, run) },
  {
    by: "tool pattern",
    add: (hooks, number, run) => hooks.on("PreToolUse", { tools: [`mcp__${number}__*`] }, run),
  },
];

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "10 sync hooks on one event",
    against: "hookable callHook, 10 sync handlers",
    bound: 1.2,
    peers: ["hookable"],
    async measure() {
      /** @type {{ createHooks: () => Hookable }} */
      const peer = await import(new URL("peers/hookable.mjs", import.meta.url).href);
      const hooks = createHooks();
      const hookable = peer.createHooks();
      for (const run of handlers(10)) hooks.on("PreToolUse", run);
      for (const run of handlers(10)) hookable.hook("PreToolUse", run);
      const { runs } = await hooks.fire(EVENT);
      if (runs.length !== 10) throw new Error(`Expected the records of 10 runs, got ${runs.length}.`);
      return compare(firing(hooks), async (times) => {
        for (let time = 0; time < times; time += 1) await hookable.callHook("PreToolUse", EVENT);
      });
    },
  },
  {
    name: "10 async hooks on one event",
    against: "hookable callHook, 10 async handlers",
    bound: 1.6,
    peers: ["hookable"],
    async measure() {
      /** @type {{ createHooks: () => Hookable }} */
      const peer = await import(new URL("peers/hookable.mjs", import.meta.url).href);
      const hooks = createHooks();
      const hookable = peer.createHooks();
      for (const run of asyncHandlers(10)) hooks.on("PreToolUse", run);
      for (const run of asyncHandlers(10)) hookable.hook("PreToolUse", run);
      return compare(firing(hooks), async (times) => {
        for (let time = 0; time < times; time += 1) await hookable.callHook("PreToolUse", EVENT);
      });
    },
  },
  ...WAYS_NOT_TO_MATCH.map(({ by, add }) => ({
    name: `1,000 hooks, none matches by ${by}`,
    against: "the same with 10 hooks",
    bound: 3,
    measure: () => {
      const events = by === "event" ? [EVENT] : UNWATCHED;
      return compare(firing(unconcerned(1000, add), events), firing(unconcerned(10, add), events));
    },
  })),
  {
    name: "no hook",
    against: "an empty async call",
    bound: 10,
    orAtMost: 1000,
    measure: () => {
      const empty = async () => {};
      return compare(firing(createHooks()), async (times) => {
        for (let time = 0; time < times; time += 1) await empty();
      });
    },
  },
];
