import { describe, expect, it, onTestFinished } from "vitest";
import { startLooks } from "../../src/monitor/looks.ts";
import { eventually } from "../support/processes.ts";

const HOUR = 3_600_000;

describe("the looks of the daemon", () => {
  it("begin at once", async () => {
    let count = 0;
    const looks = startLooks(
      async () => {
        count += 1;
      },
      () => undefined,
      HOUR,
    );
    onTestFinished(() => looks.close());
    await eventually(() => expect(count).toBe(1));
  });

  it("are one at a time: the next one begins after the last has ended", async () => {
    const begun: (() => void)[] = [];
    const looks = startLooks(
      () => new Promise<void>((resolve) => begun.push(resolve)),
      () => undefined,
      1,
    );
    await eventually(() => expect(begun).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(begun).toHaveLength(1);
    begun[0]?.();
    await eventually(() => expect(begun).toHaveLength(2));
    const closed = looks.close();
    begun[1]?.();
    await closed;
    expect(begun).toHaveLength(2);
  });

  it("go on after an error", async () => {
    const errors: unknown[] = [];
    const looks = startLooks(
      async () => {
        throw new Error("once more");
      },
      (error) => errors.push(error),
      1,
    );
    onTestFinished(() => looks.close());
    await eventually(() => expect(errors.length).toBeGreaterThan(1));
  });
});
