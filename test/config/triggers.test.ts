import { loadConfig } from "tenterhook/config";
import { describe, expect, it } from "vitest";
import { settingsOfAgent } from "../../src/shared/monitor/trigger-settings.ts";
import { ACTIONS, type ActionName, TRIGGERS, VALIDITY } from "../../src/shared/monitor/triggers.ts";
import { project } from "./support/project.ts";

const PLACE = "project/.tenterhook/hooks.yaml";
const refused = async (text: string) => {
  const [code, message] = await project({ "hooks.yaml": text }).refused();
  expect(code).toBe("config_invalid");
  return message.replace(`${PLACE}:`, "");
};
const written = (action: ActionName): string =>
  action === "check" ? "{ action: check, run: 'true' }" : `{ action: ${action} }`;
const COMBINATIONS = TRIGGERS.flatMap((trigger) => ACTIONS.map((action) => [trigger, action] as const));

describe("a trigger of the monitor", () => {
  it.each(COMBINATIONS.filter(([trigger, action]) => VALIDITY[trigger][action] === true))(
    "%s can have the action %s",
    async (trigger, action) => {
      const { settings } = await project({
        "user/tenterhook/hooks.yaml": `monitor: { ${trigger}: ${written(action)} }`,
      }).load();
      expect(settings.monitor[trigger]).toMatchObject({ action });
    },
  );

  it.each(COMBINATIONS.filter(([trigger, action]) => VALIDITY[trigger][action] !== true))(
    "%s can't have the action %s, and the error says why",
    async (trigger, action) => {
      const why = VALIDITY[trigger][action];
      expect(await refused(`monitor:\n  ${trigger}: ${action}`)).toMatch(
        `2:${trigger.length + 5}: monitor.${trigger} is "${action}": ${why}. It must be `,
      );
      expect(await refused(`monitor: { ${trigger}: ${written(action)} }`)).toContain(
        `monitor.${trigger}.action is "${action}": ${why}. It must be one of `,
      );
    },
  );

  it.each([
    [
      "on_dead: nudge",
      '2:12: monitor.on_dead is "nudge": there is nobody to read the message; use resume. It must be escalate, resume, check, done, fail, or an object with one of them as action.',
    ],
    [
      "on_idle: check",
      "2:12: monitor.on_idle has the action check without run. Write { action: check, run: … }.",
    ],
    [
      "on_idle: { action: check, run: 'true', message: Go. }",
      "2:51: monitor.on_idle.message does not fit the action check; only nudge and resume can have it.",
    ],
    [
      "on_idle: { action: nudge, timeout: 5 }",
      "2:38: monitor.on_idle.timeout does not fit the action nudge; only check can have it.",
    ],
    [
      "on_stop: { action: nudge, wait: 5m }",
      "2:35: monitor.on_stop.wait does not fit the action nudge; only answer can have it.",
    ],
    [
      "on_dead: { action: escalate, attempts: 3 }",
      "2:42: monitor.on_dead.attempts does not fit the action escalate; only nudge, resume and auto can have it.",
    ],
    [
      "on_stop: { action: nudge, cooldown: 5m }",
      "2:39: monitor.on_stop.cooldown does not fit on_stop; only on_idle, on_dead and on_error can have it.",
    ],
    [
      "on_dead: { action: resume, error_types: [other] }",
      "2:43: monitor.on_dead.error_types does not fit on_dead; only on_error can have it.",
    ],
    [
      "on_error: { action: resume, error_types: [rate_limit] }",
      '2:45: monitor.on_error.error_types[0] is "rate_limit"; it must be one of unauthorized, out_of_credits, rate_limited, no_internet, other. Did you mean "rate_limited"?',
    ],
    [
      "on_stop: gate",
      '2:12: monitor.on_stop is "gate": it is called check now. It must be escalate, nudge, check, done, auto, or an object with one of them as action.',
    ],
    [
      "on_idle: { action: gate, run: npm test }",
      '2:22: monitor.on_idle.action is "gate": it is called check now. It must be one of escalate, nudge, check, done, fail, auto.',
    ],
    [
      "decisions: { gate: { default: skip } }",
      '2:16: monitor.decisions has the unknown key "gate". It is called check now.',
    ],
  ])("%s is refused", async (line, message) => {
    expect(await refused(`monitor:\n  ${line}`)).toBe(message);
  });
});

describe("triggers of single agents", () => {
  it.each([
    [
      'agents: { "reviewer*": { on_dead: nudge } }',
      '2:37: monitor.agents.reviewer*.on_dead is "nudge": there is nobody to read the message; use resume.',
    ],
    [
      'agents: { "reviewer*": { on_idle: { action: nudge, timeout: 5 } } }',
      "monitor.agents.reviewer*.on_idle.timeout does not fit the action nudge; only check can have it.",
    ],
    [
      'agents: { "reviewer*": { on_idle: check } }',
      "2:37: monitor.agents.reviewer*.on_idle has the action check without run.",
    ],
    ['agents: { "reviewer*": { on_idel: done } }', 'Did you mean "on_idle"'],
    ['agents: { "review[er": { on_idle: done } }', "monitor.agents.review[er can't be read: "],
    ["agents: [reviewer]", "it must be an object with triggers for each agent's name"],
  ])("%s is refused at its place", async (text, message) => {
    expect(await refused(`monitor:\n  ${text}`)).toContain(message);
  });

  const loaded = async (user: string, own: string) =>
    project({ "user/tenterhook/hooks.yaml": `monitor: ${user}`, "hooks.yaml": `monitor: ${own}` }).load();

  it("in a project count where the user's file says nothing, and answer no questions", async () => {
    const { settings, warnings } = await loaded(
      '{ on_dead: escalate, agents: { "rev*": { on_idle: escalate } } }',
      '{ agents: { "rev*": { on_idle: done, on_error: fail }, a: { on_dead: done, on_prompt: answer, on_stop: done } } }',
    );
    expect(settings.monitor.agents).toEqual({
      "rev*": { on_idle: "escalate", on_error: "fail" },
      a: { on_stop: "done" },
    });
    expect(warnings.map(({ message }) => message.match(/monitor\.(agents\S+)/)?.[1])).toEqual([
      "agents.rev*.on_idle",
      "agents.a.on_prompt",
      "agents.a.on_dead",
    ]);
  });

  it("are the first that fit the agent's name or program, before those of all agents", () => {
    const settings = {
      on_idle: "escalate",
      on_dead: "escalate",
      agents: {
        "reviewer-1": { on_idle: "done" },
        "reviewer*": { on_idle: "fail", on_stop: "done" },
        codex: { on_dead: "fail" },
      },
    } as const;
    const of = (agent_id: string, host?: string) => {
      const { on_idle, on_dead, on_stop } = settingsOfAgent(settings, { agent_id, host });
      return [on_idle, on_dead, on_stop];
    };
    expect(of("reviewer-1", "claude")).toEqual(["done", "escalate", "done"]);
    expect(of("reviewer-2", "codex")).toEqual(["fail", "fail", "done"]);
    expect(of("my-reviewer")).toEqual(["escalate", "escalate", undefined]);
    const kind = { agent_id: "a1", agent_type: "reviewer", host: "claude" };
    expect(settingsOfAgent(settings, kind)).toMatchObject({ on_idle: "fail", on_stop: "done" });
  });

  it("that run a file of the project need trust in that file", async () => {
    const files = project({
      "hooks.yaml": 'monitor: { agents: { "rev*": { on_stop: { action: check, run: ./check.sh } } } }',
      "project/check.sh": "exit 0\n",
    });
    expect((await files.load()).settings.monitor.agents).toMatchObject({ "rev*": {} });
    files.write("project/check.sh", "exit 1\n");
    expect((await loadConfig(files.options)).settings.monitor).toEqual({});
  });
});
