import { describe, expect, it, onTestFinished } from "vitest";
import { every, type Look, startTick } from "../../src/monitor/tick.ts";
import { eventually } from "../support/processes.ts";

const HOUR = 3_600_000;

/** A look that counts how often it was done. */
function counted() {
  let count = 0;
  return {
    count: () => count,
    look: async () => {
      count += 1;
    },
  };
}

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
    const other = counted();
    const slow: Look = () => new Promise<void>((resolve) => begun.push(resolve));
    const { tick } = ticking([[slow], [other.look]], 1);
    await eventually(() => expect(other.count()).toBeGreaterThan(3));
    expect(begun).toHaveLength(1);
    begun[0]?.();
    await eventually(() => expect(begun).toHaveLength(2));
    const closed = tick.close();
    begun[1]?.();
    await closed;
    expect(begun).toHaveLength(2);
  });

  it("goes on after an error, also in the same line", async () => {
    const after = counted();
    const fails: Look = async () => {
      throw new Error("once more");
    };
    const { errors } = ticking([[fails, after.look]], 1);
    await eventually(() => expect(errors.length).toBeGreaterThan(1));
    expect(after.count()).toBeGreaterThan(0);
  });

  it("has looks that are due less often", async () => {
    const [rare, all] = [counted(), counted()];
    ticking([[every(HOUR, rare.look), all.look]], 1);
    await eventually(() => expect(all.count()).toBeGreaterThan(3));
    expect(rare.count()).toBe(1);
  });
});
