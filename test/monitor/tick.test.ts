import { describe, expect, it, onTestFinished } from "vitest";
import { every, type Look, startTick } from "../../src/monitor/tick.ts";
import { eventually } from "../support/processes.ts";

const HOUR = 3_600_000;

/** A tick of these lines, and the errors of its looks. */
function ticking(lines: readonly (readonly Look[])[], milliseconds: number) {
  const errors: unknown[] = [];
  const tick = startTick(lines, (error) => errors.push(error), milliseconds);
  onTestFinished(() => void tick.close());
  return { tick, errors };
}

describe("the tick of the daemon", () => {
  it("begins at once, and does what is in a line one after the other", async () => {
    const done: string[] = [];
    const look = (name: string) => async () => {
      await Promise.resolve();
      done.push(name);
    };
    ticking([[look("a"), look("b"), look("c")]], HOUR);
    await eventually(() => expect(done).toEqual(["a", "b", "c"]));
  });

  it("leaves out a line that is not done yet, and holds up no other one", async () => {
    const begun: (() => void)[] = [];
    let others = 0;
    const slow: Look = () => new Promise<void>((resolve) => begun.push(resolve));
    const quick: Look = async () => void (others += 1);
    const { tick } = ticking([[slow], [quick]], 1);
    await eventually(() => expect(others).toBeGreaterThan(3));
    expect(begun).toHaveLength(1);
    begun[0]?.();
    await eventually(() => expect(begun).toHaveLength(2));
    const closed = tick.close();
    begun[1]?.();
    await closed;
    expect(begun).toHaveLength(2);
  });

  it("goes on after an error, also in the same line", async () => {
    let after = 0;
    const fails: Look = async () => {
      throw new Error("once more");
    };
    const { errors } = ticking([[fails, async () => void (after += 1)]], 1);
    await eventually(() => expect(errors.length).toBeGreaterThan(1));
    expect(after).toBeGreaterThan(0);
  });

  it("has looks that are due less often", async () => {
    let [rare, all] = [0, 0];
    ticking([[every(HOUR, async () => void (rare += 1)), async () => void (all += 1)]], 1);
    await eventually(() => expect(all).toBeGreaterThan(3));
    expect(rare).toBe(1);
  });
});
