import { describe, expect, it } from "vitest";
import { outcomeOf, receiptOf, refusalOf } from "../../../src/monitor/decisions/receipt.ts";
import { takeIn } from "../../../src/monitor/intake/take-in.ts";
import { createMonitor } from "../../../src/monitor/monitor.ts";
import { AT_TERMINAL, CALL_CHANGED, NO_LONGER_ASKED, NOBODY } from "../../../src/monitor/report/endings.ts";
import type { HumanRequest } from "../../../src/shared/monitor/monitor.ts";
import { monitorEvent } from "../support/events.ts";
import { openStore } from "../support/open-store.ts";
import { ASKER, hookIn } from "../support/waiting-hook.ts";

const AT = "2026-01-01T00:00:00.000Z";
const ME = { by: "anna", channel: "cli" } as const;
const OPEN: HumanRequest = {
  id: "d1",
  agent_id: "w1",
  source: "permission",
  context: "Bash: ls",
  options: [{ label: "allow" }, { label: "deny" }],
  state: "open",
  created_at: AT,
  prompt: "d1",
  waits_until: AT,
};

const resolved = (more: object): HumanRequest => ({
  ...OPEN,
  state: "resolved",
  resolved: { at: AT, ...ME, answer: { allow: true }, ...more },
});
const dismissed = (ending: { readonly by: string; readonly channel: string }): HumanRequest => ({
  ...OPEN,
  state: "dismissed",
  resolved: { at: AT, ...ending },
});

describe("the receipt of an answer", () => {
  it.each([
    [{ fate: "given", given_at: "2026-01-01T00:00:00.420Z" }, "given", "Given to w1 after 0.4 s."],
    [{ fate: "taken", given_at: "2026-01-01T00:00:00.420Z" }, "taken", "Taken by w1 after 0.4 s."],
    [{ fate: "taken" }, "taken", "Taken by w1."],
    [{}, "noted", "Noted, but w1 was not given it yet."],
    [{ fate: "unused" }, "late", "Too late: given to w1, which was answered in its terminal."],
    [{ fate: "late" }, "late", "Too late: w1 was not given it."],
  ])("with %j is %s", (more, kind, text) => {
    expect(receiptOf(resolved(more))).toEqual({ kind, text });
  });

  it.each([
    [dismissed(AT_TERMINAL), "late", "Too late: answered in the terminal."],
    [dismissed(NO_LONGER_ASKED), "late", "Too late: interrupted in the terminal."],
    [dismissed(NOBODY), "late", "Too late: nobody answered in time."],
    [dismissed(CALL_CHANGED), "refused", "Refused: the call changed."],
    [resolved({}), "late", "Too late: answered with allow by anna (cli)."],
    [resolved(NOBODY), "late", "Too late: nobody answered in time, so the answer is allow."],
    [OPEN, "late", `Too late: the hook of w1 waited until ${AT}. Answer it in the agent's own terminal.`],
    [
      { ...OPEN, only_at_terminal: true as const },
      "refused",
      "Refused: w1 takes an answer to this only in its own terminal.",
    ],
  ])("that comes to a decision which can't take it says why", (decision, kind, text) => {
    expect(refusalOf(decision)).toEqual({ kind, text });
  });

  it("stands in the record that lists and messages show", () => {
    const given_at = "2026-01-01T00:00:01.500Z";
    expect(
      (["given", "taken", "unused"] as const).map((fate) => outcomeOf(resolved({ fate, given_at }))),
    ).toEqual([
      "answered with allow by anna (cli), given to the agent after 1.5 s.",
      "answered with allow by anna (cli), given to the agent after 1.5 s and taken.",
      "answered with allow by anna (cli), given to the agent after 1.5 s, which was answered in its terminal.",
    ]);
    expect(outcomeOf(resolved({ fate: "late" }))).toBe(
      "answered with allow by anna (cli), but the agent was not given it.",
    );
    expect(outcomeOf({ ...OPEN, at_terminal: true })).toBe(
      "at its terminal: the hook has stopped waiting. Answer it in the agent's own terminal.",
    );
  });
});

describe("an answer is bound to the exact call", () => {
  const UNTIL = new Date(Date.now() + 600_000).toISOString();
  const LONG = "x".repeat(5000);
  const asks = (command: string, call_key: string) =>
    monitorEvent("agent:prompt", {
      prompt_type: "permission",
      question: { tool_name: "Bash", tool_input: { command } },
      ...{ call_key, tool_use_id: "use-1", waits_until: UNTIL, ...ASKER },
    });

  it("and refused when the agent asks about another one, though both look the same where they are cut", async () => {
    const store = await openStore();
    const first = asks(`${LONG} safe`, "digest-1");
    const second = asks(`${LONG} unsafe`, "digest-2");
    await takeIn(store, [first, second]);
    const monitor = createMonitor(store);
    const allow = { choices: ["allow"] };
    const changed = { code: "call_changed", message: "Refused: the call changed." };
    await expect(monitor.resolve(first.id, allow, ME)).rejects.toMatchObject(changed);
    await expect(monitor.resolve(second.id, { ...allow, call: "digest-1" }, ME)).rejects.toMatchObject(
      changed,
    );
    const open = await store.decisions("open");
    expect(open.map(({ id, call_digest }) => [id, call_digest])).toEqual([[second.id, "digest-2"]]);
    const hook = hookIn(monitor, store, second);
    const { resolved: given } = await monitor.resolve(second.id, { ...allow, call: "digest-2" }, ME);
    expect(await hook).toMatchObject({ answer: { allow: true } });
    expect(given).toMatchObject({ fate: "given", given_at: expect.stringMatching(/^20\S+Z$/) });
    await expect(monitor.resolve(second.id, allow, ME)).rejects.toThrow(
      "Too late: answered with allow by anna (cli).",
    );
  });
});
