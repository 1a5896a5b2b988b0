import { describe, expect, it } from "vitest";
import { decisionsAfter } from "../../../src/monitor/decisions/after-event.ts";
import { readChoice } from "../../../src/monitor/decisions/resolve.ts";
import { noticesOf } from "../../../src/monitor/notify/message.ts";
import { actionFor } from "../../../src/monitor/report/actions.ts";
import { reduce } from "../../../src/monitor/state/reduce.ts";
import { createRedactor } from "../../../src/node/records/redact.ts";
import type { MonitorEvent } from "../../../src/shared/monitor/events.ts";
import type { AgentStatus, HumanRequest } from "../../../src/shared/monitor/monitor.ts";
import { monitorEvent } from "../support/events.ts";

/** The open decisions after these events. */
function openAfter(...events: readonly MonitorEvent[]): readonly HumanRequest[] {
  const all = new Map<string, HumanRequest>();
  let status: AgentStatus | undefined;
  for (const event of events) {
    status = reduce(status, event);
    const open = [...all.values()].filter(({ state }) => state === "open");
    for (const one of decisionsAfter(open, event, status)) all.set(one.id, one);
  }
  return [...all.values()].filter(({ state }) => state === "open");
}

const escalates = (trigger: string, fields: object = {}) =>
  monitorEvent("agent:action", { trigger, action: "escalate", ...fields });
const CHECK = { trigger: "on_stop", action: "escalate", run: "npm test", timeout: 30 };

function only(decisions: readonly HumanRequest[]): HumanRequest {
  const [one] = decisions;
  if (one === undefined || decisions.length > 1) throw new Error(`${decisions.length} decisions`);
  return one;
}

const labels = ({ options }: HumanRequest) => options.map(({ label }) => label);

describe("a suspended agent's decision", () => {
  const asks = (tool_use_id: string) =>
    monitorEvent("agent:prompt", {
      prompt_type: "permission",
      question: { tool_name: "Bash", tool_input: { command: "ls" } },
      suspended: true,
      call: { tool_use_id },
    });
  const resolved = (answer: unknown) => ({ at: "", by: "me", channel: "cli", answer });

  it("continues exactly its call, and a refusal stays one whatever its words are", () => {
    const decision = only(openAfter(asks("a")));
    const answer = { allow: false, feedback: "ok" };
    expect(actionFor({ ...decision, resolved: resolved(answer) })).toEqual({
      action: "resume",
      answer: { tool_use_id: "a", approval: answer },
      asked: true,
      source: "permission",
    });
  });

  it("is replaced when another call asks the same", () => {
    expect(only(openAfter(asks("a"), asks("b"))).call).toEqual({ tool_use_id: "b" });
  });
});

describe("a trigger that escalates", () => {
  it.each([
    ["on_error", "error", ["retry", "skip", "cancel"]],
    ["on_dead", "dead", ["resume", "done", "cancel"]],
    ["on_idle", "idle", ["continue", "done", "cancel"]],
    ["on_stop", "idle", ["continue", "done", "cancel"]],
  ])("%s asks with the options of its own kind, not of another trigger", (trigger, source, expected) => {
    const decision = only(openAfter(escalates(trigger)));
    expect([decision.source, labels(decision)]).toEqual([source, expected]);
  });

  it("asks about a failed check with its command, exit code and stderr", () => {
    const decision = only(
      openAfter(monitorEvent("agent:action", { ...CHECK, exit_code: 1, stderr: "2 tests fail" })),
    );
    expect(decision).toMatchObject({
      source: "check",
      context: "$ npm test\n\nexit code 1\n\n2 tests fail",
      check: { run: "npm test", timeout: 30 },
    });
    expect(labels(decision)).toEqual(["retry", "skip", "cancel"]);
  });

  it("asks when what the monitor did has failed, and says why", () => {
    const begun = monitorEvent("agent:action", { trigger: "on_dead", action: "resume", attempt: 1 });
    const ended = { action_id: begun.id, ok: false, action: "resume", source: "dead", why: "No program." };
    expect(only(openAfter(begun, monitorEvent("agent:action_ended", ended)))).toMatchObject({
      source: "dead",
      context: "No program.",
    });
  });

  it("asks with a button for each option where a channel has buttons", () => {
    const notices = noticesOf(only(openAfter(escalates("on_dead"))), createRedactor({}), { buttons: 3 });
    expect(notices).toMatchObject([
      { answerable: true, buttons: [{ label: "resume" }, { label: "done" }, { label: "cancel" }] },
    ]);
  });

  it("offers no session to resume of a program that has none", () => {
    const { session_id: _, ...exited } = monitorEvent("agent:exit", { exit_code: 3 });
    const { session_id: _session, ...asks } = escalates("on_dead", { why: "It exited with code 3." });
    const decision = only(openAfter(exited, asks));
    expect([labels(decision), decision.context]).toEqual([["done", "cancel"], "It exited with code 3."]);
  });

  it.each([
    ["a program without a session", { session_id: undefined }],
    ["an agent that nobody can continue without a terminal", { host: "cursor" }],
    ["a program that nobody knows", { host: undefined }],
  ])("offers %s nothing that needs its session after it has ended", (_name, fields) => {
    const offered = (trigger: string) => {
      const decision = only(
        openAfter(monitorEvent("agent:exit", { exit_code: 3, ...fields }), escalates(trigger, fields)),
      );
      return [labels(decision), readChoice(decision, { choices: ["Go", "on."] })];
    };
    const refused = { problem: expect.any(String) };
    expect([offered("on_dead"), offered("on_error"), offered("on_idle")]).toEqual([
      [["done", "cancel"], refused],
      [["cancel"], refused],
      [["done", "cancel"], refused],
    ]);
  });

  it("offers to continue an agent whose process runs only when messages can reach its session", () => {
    const offered = (fields: Readonly<Record<string, unknown>>) =>
      labels(only(openAfter(monitorEvent("agent:stopped", fields), escalates("on_idle", fields))));
    expect(offered({ host: "cursor" })).toEqual(["continue", "done", "cancel"]);
    expect(offered({ session_id: undefined })).toEqual(["done", "cancel"]);
  });

  it("asks on when the agent's process ends, until the agent begins anew", () => {
    const asked = [escalates("on_error"), monitorEvent("agent:exit")];
    expect(openAfter(...asked)).toHaveLength(1);
    expect(openAfter(...asked, monitorEvent("agent:start"))).toEqual([]);
  });
});

describe("an answer", () => {
  const answered = (decision: HumanRequest, choices: readonly string[], message?: string) => {
    const read = readChoice(decision, { choices, ...(message === undefined ? {} : { message }) });
    if ("problem" in read) return read.problem;
    const resolved = { at: "", by: "me", channel: "cli", answer: read.answer };
    return actionFor({ ...decision, state: "resolved", resolved });
  };
  const open = (trigger: string) => only(openAfter(escalates(trigger)));

  it.each([
    ["on_error", "retry", { action: "nudge", source: "error" }],
    ["on_error", "3", { action: "fail", source: "error" }],
    ["on_dead", "resume", { action: "resume", source: "dead" }],
    ["on_dead", "cancel", { action: "fail", source: "dead" }],
    ["on_idle", "done", { action: "done", source: "idle" }],
  ])("to %s: %s makes the monitor act", (trigger, choice, expected) => {
    expect(answered(open(trigger), [choice])).toMatchObject({ ...expected, asked: true });
  });

  it("to an idle agent may be any text, which it gets as a message", () => {
    const expected = { action: "nudge", message: "Paint the door, too." };
    expect(answered(open("on_idle"), ["Paint", "the", "door,", "too."])).toMatchObject(expected);
    expect(answered(open("on_idle"), ["continue"], "Paint the door, too.")).toMatchObject(expected);
    expect(answered(open("on_idle"), ["continue"])).toMatchObject({ action: "nudge", message: "Go on." });
    expect(answered(open("on_idle"), ["7"])).toContain("There is no option");
  });

  it("to a failed check runs the command again, or takes the work as done", () => {
    const decision = only(openAfter(monitorEvent("agent:action", { ...CHECK, exit_code: 1 })));
    expect(answered(decision, ["retry"])).toMatchObject({ action: "check", run: "npm test", timeout: 30 });
    expect(answered(decision, ["skip"])).toMatchObject({ action: "done" });
  });

  it("to an error can't be that of another trigger", () => {
    expect(answered(open("on_error"), ["resume"])).toContain('There is no option "resume".');
  });

  it("to an agent that asked for help before it stopped is a message for it", () => {
    const asked = monitorEvent("agent:signal", { signal: "escalate", message: "Which branch?" });
    expect(answered(only(openAfter(asked)), ["main"])).toMatchObject({ action: "nudge", message: "main" });
  });
});
