import { spawn } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { takeIn } from "../../src/monitor/intake/take-in.ts";
import { agentProcess } from "../../src/monitor/report/agent-process.ts";
import { daemonPlace } from "../../src/monitor/report/daemon-place.ts";
import { appendToSpool } from "../../src/monitor/report/spool.ts";
import { sqliteMonitor } from "../../src/monitor/store/sqlite-monitor.ts";
import type { HumanRequest } from "../../src/shared/monitor/monitor.ts";
import { mustBeBuilt } from "../repository/support/files.ts";
import { kill } from "../support/faults/kill.ts";
import { endAfterTest, eventually } from "../support/processes.ts";
import {
  agentOf,
  asked,
  atWork,
  configured,
  decisionOf,
  isMade,
  json,
  question,
  RUN,
  touch,
  watchedBeside,
} from "./support/own-agent.ts";
import { daemonBeside, type Project } from "./support/project.ts";

const WHY = expect.stringMatching(/does not wait for this answer|a message does not answer it/);

beforeAll(mustBeBuilt);

describe("our own agent in the monitor", () => {
  it("that is killed is gone, and what it asked is dismissed", async () => {
    const project = await watchedBeside({ on_prompt: "answer" }, touch);
    const { child, done } = atWork(project);
    await asked(project);
    kill(child);
    await done;
    await eventually(async () => expect(await agentOf(project)).toMatchObject({ state: "gone" }));
    expect(await decisionOf(project)).toMatchObject({ state: "dismissed" });
  });
});

describe("an answer to a suspended agent", () => {
  const suspended = async (...calls: readonly object[]) => {
    const project = await watchedBeside({ on_prompt: "escalate" }, ...calls);
    await atWork(project, [...RUN, "--suspend"]).done;
    return { project, ...(await asked(project)) };
  };
  const exited = (project: Project) =>
    eventually(async () => expect(await agentOf(project)).toMatchObject({ state: "exited" }));
  const shown = async (project: Project, session: string): Promise<string> =>
    (await project.run(["sessions", "show", session])).stdout;

  it("that denies stays a denial, whatever its message says", async () => {
    const { project, id, session_id = "" } = await suspended(touch);
    await json(project, "answer", id, "deny", "-m", "ok");
    await exited(project);
    expect(isMade(project)).toBe(false);
    expect(await shown(project, session_id)).toContain("The user refused this call: ok");
  });

  it("gives each question its own answer; a label such as 3 is a label", async () => {
    const options = [{ label: "3" }, { label: "5" }, { label: "7" }];
    const questions = [
      { question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] },
      { question: "How many?", options },
    ];
    const { project, id, session_id = "" } = await suspended({ ...question, input: { questions } });
    await json(project, "answer", id, "Blue", "1");
    await exited(project);
    const { messages } = await json(project, "sessions", "show", session_id);
    expect(JSON.stringify(messages)).toContain("Which colour?\\nBlue\\n\\nHow many?\\n3");
  });
});

it("an answer to a suspended agent whose process still runs is asked for again, not lost", async () => {
  const project = await watchedBeside({ on_prompt: "escalate" }, touch);
  await atWork(project, [...RUN, "--suspend"]).done;
  const { id } = await asked(project);
  const runsAs = (agent: object) =>
    appendToSpool({ type: "agent:compacted", agent_id: "worker", ...agent }, project.environment);
  const other = spawn("sleep", ["300"]);
  endAfterTest(other);
  runsAs(agentProcess(other.pid ?? 0));
  await json(project, "answer", id, "allow");
  let again: HumanRequest | undefined;
  await eventually(async () => {
    const { decisions } = await json(project, "inbox");
    [again] = decisions;
    expect(again?.context).toMatch(/^The process of worker is running, so the answer can't reach it/);
  });
  expect(isMade(project)).toBe(false);
  const { decisions } = await json(project, "inbox", "--all");
  expect(decisions).toContainEqual(expect.objectContaining({ id, state: "dismissed" }));
  kill(other);
  await json(project, "answer", again?.id ?? "", "allow");
  await eventually(() => expect(isMade(project)).toBe(true));
});

describe("what the monitor has for a suspended agent that waits for another call now", () => {
  const first = { id: "first", name: "Bash", input: { command: "touch first" } };

  it.each([
    ["an answer to the earlier call", { answer: { tool_use_id: "first", approval: { allow: true } } }],
    ["a message that reads like a yes", { message: "yes" }],
  ])("is not taken for its answer: %s", async (_, given) => {
    const project = configured({ on_prompt: "escalate" }, first, { ...touch, id: "second" });
    const daemon = await daemonBeside(project);
    await atWork(project, [...RUN, "--suspend"]).done;
    const { id, session_id = "" } = await asked(project);
    await atWork(project, ["sessions", "resume", session_id, "yes"]).done;
    await json(project, "status");
    await daemon.close();
    // The daemon has recorded what it does, but was stopped before it did it.
    const store = await sqliteMonitor(daemonPlace(project.environment).database);
    const action = { type: "agent:action", action: "resume", asked: true, decision: id, ...given } as const;
    const about = {
      v: 1,
      id: "late",
      time: new Date().toISOString(),
      agent_id: "worker",
      session_id,
    } as const;
    await takeIn(store, [{ ...about, ...action }]);
    await store.close();
    await daemonBeside(project);
    await eventually(async () => {
      const { decisions } = await json(project, "inbox", "--all");
      expect(decisions).toContainEqual(
        expect.objectContaining({ id, state: "dismissed", resolved: expect.objectContaining({ by: WHY }) }),
      );
    });
    expect(isMade(project)).toBe(false);
    const agent = await agentOf(project);
    expect(agent).toMatchObject({ state: "prompting", suspended: true });
    expect(agent).not.toHaveProperty("pending");
    const { decisions } = await json(project, "inbox");
    expect(decisions).toEqual([expect.objectContaining({ call: { tool_use_id: "second" } })]);
  });
});

describe("a question on the agent's own terminal", () => {
  it("is closed when the monitor answers first", async () => {
    const project = await watchedBeside({ on_prompt: "escalate" }, touch);
    const { done } = atWork(project, RUN, []);
    const { id } = await asked(project);
    await json(project, "answer", id, "allow");
    const { code, shown } = await done;
    expect(code).toBe(0);
    expect(shown).toContain("Answered elsewhere: ");
    expect(isMade(project)).toBe(true);
  });

  it("closes the decision when it is answered first", async () => {
    const project = await watchedBeside({ on_prompt: "escalate" }, touch);
    expect(await atWork(project, RUN, [["refuse and say why", "y"]]).done).toMatchObject({ code: 0 });
    const decision = await decisionOf(project);
    expect(decision).toMatchObject({ state: "resolved", resolved: { channel: "agent", answer: true } });
    expect(await project.run(["answer", decision.id, "deny"])).toMatchObject({
      stderr: expect.stringContaining("Too late: "),
    });
  });
});
