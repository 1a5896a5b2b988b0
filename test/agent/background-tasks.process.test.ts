import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Agent, defaultTools, type Tool } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/processes.ts";
import { agentOf, echo, says, scratch, story } from "./support/agents.ts";
import { both, task, toolsWith } from "./support/tasks.ts";

const idIn = (agent: Agent | undefined): string =>
  /bash_\w{8}/.exec(JSON.stringify(agent?.transcript() ?? []))?.[0] ?? "none";
const answers = (agent: Agent): readonly string[] =>
  story(agent.transcript())
    .filter((line) => /^tool|which ran in the background/.test(line))
    .map((line) => line.replaceAll(idIn(agent), "BASH"));

/** An agent that starts a command in the background, then makes these calls with its id, one after the other. */
function starting(
  command: string,
  calls: readonly { name: string; input?: object; before?: () => void }[],
  cwd = scratch(),
) {
  const made: { agent?: Agent } = {};
  const { agent } = agentOf(
    [
      { tool_calls: [{ name: "Bash", input: { command, run_in_background: true } }] },
      ...calls.map(({ name, input, before }) => () => {
        before?.();
        return { tool_calls: [{ name, input: { task_id: idIn(made.agent), ...input } }] };
      }),
      { text: "Done." },
    ],
    { cwd, tools: defaultTools(), permissions: { allow: ["Bash"] } },
  );
  made.agent = agent;
  return agent;
}

describe("Monitor", () => {
  it("waits for a pattern in the output of a command, and then shows only what is new", async () => {
    const cwd = scratch();
    const agent = starting(
      "echo one; sleep 0.2; echo ready on 80; while [ ! -e go ]; do sleep 0.05; done; echo bye",
      [
        { name: "Monitor", input: { pattern: "ready on \\d+" } },
        { name: "Monitor" },
        // It may end before it is looked at, but not before this step: what has ended is told at the next one.
        { name: "Monitor", input: { timeout: 60_000 }, before: () => writeFileSync(join(cwd, "go"), "") },
      ],
      cwd,
    );
    await agent.run("go");
    const [, first, second, last, delivered] = answers(agent);
    expect(first).toContain("is running. The pattern was found. New output:\none\nready on 80\n");
    expect(second).toMatch(/is running\. No new output\.$/);
    expect(last).toContain("has ended. New output:\nbye\n");
    expect(delivered).toContain("The background command BASH has ended.\none\nready on 80\nbye");
  });

  it("ends its wait at the timeout, and says that the pattern was not found", async () => {
    const agent = starting("echo one; sleep 60", [
      { name: "Monitor", input: { pattern: "one" } },
      { name: "Monitor", input: { pattern: "never", timeout: 10 } },
      { name: "TaskStop" },
    ]);
    await agent.run("go");
    expect(answers(agent)[2]).toMatch(/is running\. The pattern was not found\. No new output\.$/);
  });

  it("lists what was started, and names it when an id is wrong", async () => {
    const agent = starting("sleep 60", [
      { name: "Monitor", input: { task_id: "bash_none" } },
      { name: "TaskStop" },
    ]);
    await agent.run("go");
    expect(answers(agent)[1]).toBe(
      'tool fails: There is no background task "bash_none". Background tasks:\n- BASH (sleep 60) is running.',
    );
    const { agent: idle } = agentOf([{ tool_calls: [{ name: "Monitor", input: {} }] }], {
      tools: defaultTools(),
    });
    await idle.run("go");
    expect(answers(idle)[0]).toBe("tool answers: Nothing was started in the background.");
  });

  it("refuses a pattern that is none", async () => {
    const agent = starting("sleep 60", [{ name: "Monitor", input: { pattern: "(" } }, { name: "TaskStop" }]);
    await agent.run("go");
    expect(answers(agent)[1]).toMatch(/^tool fails: .*\(/);
  });
});

describe("TaskStop", () => {
  it("ends a command with everything it started, without asking anybody, and its result follows", async () => {
    const cwd = scratch();
    const agent = starting(
      "sh -c 'echo $$ > pid; echo started; exec sleep 600' & wait",
      [{ name: "Monitor", input: { pattern: "started" } }, { name: "TaskStop" }, { name: "TaskStop" }],
      cwd,
    );
    await agent.run("go");
    const [, , stopped, , again] = answers(agent);
    expect(stopped).toMatch(/^tool answers: BASH \(.*\) has ended\.$/);
    expect(answers(agent).join("\n")).toContain(
      "failed:\nThe background command BASH has ended.\nstarted\nInterrupted; the command and all it started were ended.",
    );
    expect(again).toContain("has ended. There is nothing to end.");
    const pid = Number(readFileSync(join(cwd, "pid"), "utf8"));
    await eventually(() => expect(() => process.kill(pid, 0)).toThrow());
  });

  it("ends a subagent in the background, which Monitor shows at work", async () => {
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const wait: Tool = {
      ...echo,
      name: "Wait",
      run: (_, { signal }) => {
        begin();
        return new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason)),
        );
      },
    };
    const until: Tool = {
      ...echo,
      name: "Until",
      run: () => begun.then(() => ({ content: "begun" })),
    };
    const made: { agent?: Agent } = {};
    const task_id = (): string =>
      /The subagent (\S+) works/.exec(story(made.agent?.transcript() ?? []).join("\n"))?.[1] ?? "";
    const { steps } = both(
      [
        { tool_calls: [task({ run_in_background: true })] },
        { tool_calls: [says("a", "Until")] },
        () => ({ tool_calls: [{ name: "Monitor", input: { task_id: task_id() } }] }),
        () => ({ tool_calls: [{ name: "TaskStop", input: { task_id: task_id() } }] }),
        { text: "Stopped." },
      ],
      [{ text: "I look.", tool_calls: [says("a", "Wait")] }],
    );
    const { agent } = agentOf(steps, { tools: toolsWith(wait, until) });
    made.agent = agent;
    await agent.run("Delegate.");
    const told = story(agent.transcript()).join("\n").replaceAll(task_id(), "CHILD");
    expect(told).toContain("tool answers: CHILD (work) is running. New output:\nI look.\n(calls Wait)");
    expect(told).toContain("tool answers: CHILD (work) has ended.");
    expect(told).toContain("The subagent ended without an answer (cancelled)");
  });
});

it("a command that a subagent left running can be stopped by the agent that started the subagent", async () => {
  const made: { agent?: Agent } = {};
  const { steps } = both(
    [
      { tool_calls: [task()] },
      { tool_calls: [{ name: "Monitor", input: {} }] },
      () => ({ tool_calls: [{ name: "Monitor", input: { task_id: idIn(made.agent), pattern: "begun" } }] }),
      () => ({ tool_calls: [{ name: "TaskStop", input: { task_id: idIn(made.agent) } }] }),
      { text: "Stopped." },
    ],
    [
      {
        tool_calls: [{ name: "Bash", input: { command: "echo begun; sleep 600", run_in_background: true } }],
      },
      { text: "It runs." },
    ],
  );
  const { agent } = agentOf(steps, { tools: defaultTools() });
  made.agent = agent;
  await agent.run("Delegate.");
  expect(story(agent.transcript()).join("\n")).toContain(
    `tool answers: ${idIn(agent)} (echo begun; sleep 600) has ended.`,
  );
});
