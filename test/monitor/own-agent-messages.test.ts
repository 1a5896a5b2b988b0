import { createHooks } from "tenterhook";
import { Agent, scriptedModel, tool } from "tenterhook/agent";
import { expect, it, onTestFinished, vi } from "vitest";
import { run as carryOut } from "../../src/cli/commands/monitor/actions/carry-out.ts";
import { monitorClient } from "../../src/monitor/client.ts";
import { appendToSpool } from "../../src/monitor/report/spool.ts";
import { eventually } from "../support/processes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testDaemon } from "./support/test-daemon.ts";

it("a message of a person joins the turn of a running agent, once", async () => {
  const folder = temporaryFolder();
  const environment = { HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder };
  const actions = new AbortController();
  const carried: Promise<unknown>[] = [];
  await testDaemon({
    environment,
    carryOut: (id) => {
      carried.push(carryOut({ names: [id], environment, signal: actions.signal }));
    },
  });
  const client = monitorClient(environment);
  let go = (_: string): void => undefined;
  const until = new Promise<string>((resolve) => {
    go = resolve;
  });
  const waits = tool({ name: "Wait", description: "Waits.", input: { type: "object" }, run: () => until });
  const agent = new Agent({
    model: scriptedModel([{ tool_calls: [{ name: "Wait", input: {} }] }, { text: "Done." }]),
    tools: [waits],
    mode: "bypass",
    cwd: folder,
    monitor: { name: "painter" },
    hooks: createHooks(),
    environment,
  });
  onTestFinished(() => agent.close());
  const steer = vi.spyOn(agent, "steer");
  const run = agent.run("Paint.");
  const { session_id } = agent;
  await eventually(async () => expect(await client.agents()).toMatchObject([{ state: "working" }]));
  appendToSpool(
    { type: "agent:signal", agent_id: "painter", session_id, signal: "escalate", message: "Which colour?" },
    environment,
  );
  await eventually(async () => expect(await client.decisions("open")).toHaveLength(1));
  await client.resolve("painter", { choices: ["Blue, please."] });
  await eventually(() => expect(carried).toHaveLength(1));
  await Promise.all(carried);
  await eventually(() => expect(steer).toHaveBeenCalledExactlyOnceWith("Blue, please."));
  go("Waited.");
  await run;
  const said = JSON.stringify(agent.transcript());
  expect(said.split("Blue, please.")).toHaveLength(2);
  expect(await client.agents()).not.toMatchObject([{ pending: expect.anything() }]);
});
