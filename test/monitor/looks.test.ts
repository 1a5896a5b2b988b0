import { describe, expect, it, onTestFinished } from "vitest";
import { monitorClient } from "../../src/monitor/client.ts";
import { startLooks } from "../../src/monitor/daemon/looks.ts";
import { appendToSpool } from "../../src/monitor/spool.ts";
import { eventually } from "../support/processes.ts";
import { testDaemon } from "./support/test-daemon.ts";

const HOUR = 3_600_000;

describe("the looks of the daemon", () => {
  it("begin at once, and come again soon after each change", async () => {
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
    looks.soon();
    looks.soon();
    await eventually(() => expect(count).toBe(2));
  });

  it("are one at a time: a change during a look is looked at after it", async () => {
    const begun: (() => void)[] = [];
    const looks = startLooks(
      () => new Promise<void>((resolve) => begun.push(resolve)),
      () => undefined,
      1,
    );
    await eventually(() => expect(begun).toHaveLength(1));
    looks.soon();
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

describe("a daemon that looks once an hour", () => {
  it("acts as soon as an agent is gone", async () => {
    const begun: string[] = [];
    const { environment } = await testDaemon({
      lookMilliseconds: HOUR,
      settingsFor: async () => ({ on_dead: "resume" }),
      carryOut: (id) => void begun.push(id),
    });
    // After the first look.
    await new Promise((resolve) => setTimeout(resolve, 100));
    appendToSpool({ type: "agent:gone", agent_id: "worker", session_id: "s1" }, environment);
    await eventually(() => expect(begun).toHaveLength(1));
  });

  it("attends to a decision as soon as it is open", async () => {
    const { environment } = await testDaemon({
      lookMilliseconds: HOUR,
      settingsFor: async () => ({ on_dead: "escalate", decisions: { dead: { timeout: "1ms" } } }),
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    appendToSpool({ type: "agent:gone", agent_id: "worker", session_id: "s1" }, environment);
    const client = monitorClient(environment);
    await eventually(async () =>
      expect(await client.decisions("all")).toMatchObject([{ agent_id: "worker", state: "dismissed" }]),
    );
  });
});
