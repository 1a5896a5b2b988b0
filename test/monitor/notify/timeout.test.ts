import { describe, expect, it } from "vitest";
import { NOBODY } from "../../../src/monitor/report/endings.ts";
import { holdOf, longestHold } from "../../../src/monitor/report/prompt.ts";
import { eventually } from "../../support/processes.ts";
import { monitorEvent } from "../support/events.ts";
import { escalation, held, monitored } from "./support/world.ts";

describe("a decision that nobody answers in time", () => {
  it("is closed when its kind has a timeout, and the audit says so", async () => {
    const { take, decision } = await monitored({ decisions: { plan: { timeout: "50ms" } } });
    const asked = held("plan_approval", "1. Paint", { waits_until: undefined });
    await take(asked);
    await eventually(async () =>
      expect(await decision(asked.id)).toMatchObject({
        state: "dismissed",
        resolved: { by: "Nobody answered in time.", channel: "timeout" },
      }),
    );
  });

  it("has the default of its kind as the answer", async () => {
    const { take, decision } = await monitored({
      decisions: { error: { timeout: "50ms", default: "skip" } },
    });
    const asked = escalation("on_error");
    await take(asked);
    await eventually(async () =>
      expect(await decision(asked.id)).toMatchObject({
        state: "resolved",
        resolved: { ...NOBODY, answer: { choice: "skip" } },
      }),
    );
  });

  it("stays open when its kind has none", async () => {
    const { take, decision } = await monitored({ decisions: { permission: { timeout: "50ms" } } });
    const [asked, other] = [
      held("plan_approval", "1. Paint", { waits_until: undefined }),
      held("permission", "Bash", { waits_until: undefined }),
    ];
    await take(asked, other);
    await eventually(async () => expect((await decision(other.id))?.state).toBe("dismissed"));
    expect((await decision(asked.id))?.state).toBe("open");
  });

  it("is left to the hook that waits for it", async () => {
    const { take, decision, answerTo, monitor } = await monitored({
      decisions: { plan: { timeout: "50ms", default: "cancel" }, permission: { timeout: "50ms" } },
    });
    const [asked, other] = [
      held("plan_approval", "1. Paint"),
      held("permission", "Bash", { waits_until: undefined }),
    ];
    await take(asked, other);
    await eventually(async () => expect((await decision(other.id))?.state).toBe("dismissed"));
    expect((await decision(asked.id))?.state).toBe("open");
    await monitor.resolve(asked.id, { choices: ["accept"] }, { by: "me", channel: "cli" });
    expect(await answerTo(asked)).toEqual({ allow: true });
  });

  it("stays open at its terminal when the hook that waited for it was killed", async () => {
    const { take, decision } = await monitored({});
    const asked = held("plan_approval", "1. Paint", {
      waits_until: new Date(Date.now() - 10_000).toISOString(),
    });
    await take(asked);
    await eventually(async () =>
      expect(await decision(asked.id)).toMatchObject({ state: "open", at_terminal: true }),
    );
  });

  it("is closed by the answer of the hook itself", async () => {
    const { take, decision } = await monitored({});
    const asked = held("plan_approval", "1. Paint");
    const { agent_id } = asked;
    await take(
      asked,
      monitorEvent("agent:answer", { agent_id, prompt: asked.id, answer: "cancel", ...NOBODY }),
    );
    expect(await decision(asked.id)).toMatchObject({
      state: "resolved",
      resolved: { by: "Nobody answered in time.", channel: "timeout", answer: "cancel" },
    });
  });
});

describe("how long a hook waits", () => {
  const settings = {
    on_prompt: { action: "answer", wait: "10m", default: "no" },
    decisions: { plan: { timeout: "2h" }, permission: { timeout: 30, default: "deny" } },
  } as const;

  it.each([
    ["question", { seconds: 600, hiddenSeconds: 20, fallback: "no" }],
    ["plan_approval", { seconds: 7200, hiddenSeconds: 20, fallback: "no" }],
    ["permission", { seconds: 30, hiddenSeconds: 20, fallback: "deny" }],
  ] as const)("for a %s goes by its kind, else by on_prompt", (type, hold) => {
    expect(holdOf(settings, type)).toEqual(hold);
  });

  it("is at most the longest of all kinds", () => {
    expect(longestHold(settings)).toBe(7200);
    expect(longestHold({ decisions: settings.decisions })).toBe(0);
  });
});
