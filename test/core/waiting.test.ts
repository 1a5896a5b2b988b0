import { AsyncLocalStorage } from "node:async_hooks";
import fc from "fast-check";
import { createHooks, deny, type Hooks } from "tenterhook";
import { expect, it } from "vitest";
import { bashCall } from "../support/events.ts";
import { runs } from "../support/long.ts";

type Word = ReturnType<typeof deny> | undefined;
type Answer = (value: Word) => void;

const storage = new AsyncLocalStorage<number>();
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A promise of one's own making, which calls back whenever it likes. */
function promiseLike(begin: (answer: Answer) => void): Promise<Word> {
  return Object.defineProperty(new Promise<Word>(() => {}), ["th", "en"].join(""), { value: begin });
}

/** The ways in which a hook comes to its word in time. */
const WAYS: Readonly<Record<string, (word: Word, hooks: Hooks) => Word | Promise<Word>>> = {
  "at once": (word) => word,
  "a moment later": async (word) => word,
  later: async (word) => {
    await pause();
    return word;
  },
  "by a promise of its own making": (word) => promiseLike((answer) => answer(word)),
  "twice, first with its word": (word) =>
    promiseLike((answer) => {
      answer(word);
      setImmediate(answer, undefined);
    }),
  "from elsewhere": (word) => promiseLike((answer) => storage.run(-1, () => setImmediate(answer, word))),
  "after an event of its own": async (word, hooks) => {
    await hooks.fire({ hook_event_name: "Stop", session_id: "s", cwd: "/" });
    return word;
  },
  "after the set has changed": async (word, hooks) => {
    hooks.on("PreToolUse", { matcher: { tools: ["Read"] } }, () => undefined)();
    await hooks.close();
    return word;
  },
};

/** The ways in which a hook is late. */
const LATE: Readonly<Record<string, (signal: AbortSignal) => Promise<Word>>> = {
  never: () => new Promise(() => {}),
  "when it is stopped": (signal) =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined))),
  "when it is stopped, in the same moment": (signal) =>
    promiseLike((answer) => signal.addEventListener("abort", () => answer(undefined))),
};

const hook = fc.record({
  way: fc.constantFrom(...Object.keys(WAYS), ...Object.keys(LATE)),
  denies: fc.boolean(),
  parallel: fc.boolean(),
});

it("each hook of an event counts once, in order and in the async context of the event, however it answers", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(hook, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 2 }),
      fc.array(fc.nat({ max: 1 }), { minLength: 1, maxLength: 6 }),
      async (sets, events) => {
        const seen: (number | undefined)[][] = events.map(() => []);
        const made = sets.map((plan) => {
          const hooks = createHooks();
          hooks.on("Stop", pause);
          for (const { way, denies, parallel } of plan) {
            const [inTime, late] = [WAYS[way], LATE[way]];
            const options = { parallel, on_failure: "open", ...(late && { timeout: 0.002 }) } as const;
            hooks.on("PreToolUse", options, (event, { signal }) => {
              seen[Number(event.session_id)]?.push(storage.getStore());
              return inTime?.(denies ? deny("No.") : undefined, hooks) ?? late?.(signal);
            });
          }
          return { hooks, plan };
        });
        const decisions = await Promise.all(
          events.map(async (at, number) => {
            const { hooks, plan } = made[at % made.length] ?? { plan: [] };
            const call = { ...bashCall("ls"), session_id: String(number) };
            const decision = await storage.run(number, async () => hooks?.fire(call));
            return { decision, plan, number };
          }),
        );
        for (const { decision, plan, number } of decisions) {
          const expected = plan.map(({ way, denies }) =>
            way in LATE ? "timeout" : denies ? "deny" : undefined,
          );
          expect({
            action: decision?.action,
            expected: decision?.runs.map(({ outcome, failure }) => failure?.kind ?? outcome?.action),
            seen: seen[number],
          }).toEqual({
            action: expected.includes("deny") ? "deny" : "continue",
            expected,
            seen: plan.map(() => number),
          });
        }
      },
    ),
    { numRuns: runs(60) },
  );
}, 600_000);
