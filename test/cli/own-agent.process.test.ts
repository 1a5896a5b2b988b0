import { beforeAll, describe, expect, it } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { needsPerson } from "../support/needs.ts";
import { eventually } from "../support/processes.ts";
import {
  agentOf,
  asked,
  atWork,
  configured,
  decisionOf,
  isMade,
  json,
  RUN,
  touch,
  watched,
} from "./support/own-agent.ts";
import { stopDaemonAfterTest } from "./support/project.ts";

beforeAll(mustBeBuilt);

describe("our own agent in the monitor", () => {
  it("waits for a permission, which the monitor gives, and goes on", async () => {
    await needsPerson();
    const project = configured({ on_prompt: "answer" }, touch);
    // `status` starts the daemon.
    stopDaemonAfterTest(project);
    const { child, done } = atWork(project);
    const decision = await asked(project);
    expect(await agentOf(project)).toMatchObject({
      agent_id: "worker",
      host: "tenterhook",
      prompt_type: "permission",
      pid: child.pid,
      cwd: project.cwd,
    });
    expect(decision).toMatchObject({ source: "permission", state: "open" });
    expect(decision.context).toContain("Bash: touch made");
    expect(isMade(project)).toBe(false);
    const { stdout } = await project.run(["answer", decision.id, "allow"]);
    expect(stdout).toMatch(/^Taken by .+ after /);
    expect(await done).toMatchObject({ code: 0 });
    expect(isMade(project)).toBe(true);
    expect(await agentOf(project)).toMatchObject({ state: "exited" });
    expect(await decisionOf(project)).toMatchObject({
      state: "resolved",
      resolved: { channel: "cli", answer: { allow: true } },
    });
  });
});

describe("a suspended agent", () => {
  it("is continued by an answer in the monitor", async () => {
    const project = await watched({ on_prompt: "escalate" }, touch);
    await atWork(project, [...RUN, "--suspend"]).done;
    const { id } = await asked(project);
    expect(await json(project, "answer", id, "allow")).toMatchObject({ state: "resolved" });
    await eventually(async () => expect(await agentOf(project)).toMatchObject({ state: "exited" }));
    expect(isMade(project)).toBe(true);
    expect(await decisionOf(project)).toMatchObject({
      state: "resolved",
      resolved: { channel: "cli", answer: { allow: true } },
    });
  });
});
