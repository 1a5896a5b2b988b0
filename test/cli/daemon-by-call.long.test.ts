import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { daemonPlace } from "../../src/monitor/report/daemon-place.ts";
import { appendToSpool } from "../../src/monitor/report/spool.ts";
import { eventually, isAlive, processesWith } from "../support/processes.ts";
import { DENIED, decidedByDaemon, NO_PUSH, PUSH, project, wasStarted } from "./support/daemon-by-call.ts";
import { patientClient } from "./support/patient-client.ts";
import { shellCall } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";
import { call, callDaemon, servedProject, start } from "./support/served-project.ts";

describe("the daemon that decides calls", () => {
  it("ends when nobody needs it, and the next call starts it again", async () => {
    const made = await project();
    const { cwd, environment: env } = made;
    // A question to its user needs it, until the agent ends.
    const question = { prompt_type: "question", question: "Why?" };
    appendToSpool({ type: "agent:prompt", agent_id: "w1", ...question }, env);
    const args = [CLI, "daemon", "start", "--foreground", "--until-idle", "1"];
    const idle = spawn(process.execPath, args, { cwd, env, stdio: "ignore" });
    await decidedByDaemon(made);
    expect(idle.exitCode).toBe(null);
    appendToSpool({ type: "agent:exit", agent_id: "w1" }, env);
    await eventually(() => expect(idle.exitCode).toBe(0));
    expect(await call(made, PUSH)).toEqual(DENIED);
    await decidedByDaemon(made);
  });

  it.each(["user", "project"])(
    "is neither started nor asked when the %s's file switches it off",
    async (whose) => {
      const made = await project();
      await made.run(["daemon", "start"]);
      const file = whose === "user" ? "../config/tenterhook/hooks.yaml" : ".tenterhook/hooks.yaml";
      const text = whose === "user" ? "" : readFileSync(join(made.cwd, file), "utf8");
      made.write(file, `${text}daemon: false\n`);
      await made.run(["trust", "--yes"]);
      expect((await callDaemon(made, PUSH)).code).toBe(99);
      expect(await call(made, PUSH)).toEqual(DENIED);
      await made.run(["daemon", "stop"]);
      expect(await call(made, PUSH)).toEqual(DENIED);
      expect(wasStarted(made)).toBe(false);
    },
  );

  it("is neither started nor asked when a variable switches it off", async () => {
    const made = await project();
    await made.run(["daemon", "start"]);
    made.environment.PATH = `${dirname(made.write("../no-node/node", "#!/bin/sh\nexit 99\n"))}:${made.environment.PATH}`;
    const child = spawn(patientClient(made), ["hook"], { cwd: made.cwd, env: made.environment });
    child.stdin.on("error", () => {});
    child.stdin.end("{}");
    await eventually(() => expect(child.exitCode).toBe(99));
    expect(wasStarted(made)).toBe(false);
  });

  it("decides without a database, and status says why it shows nothing", async () => {
    const made = await project();
    mkdirSync(daemonPlace(made.environment).database, { recursive: true });
    expect(await call(made, PUSH)).toEqual(DENIED);
    await decidedByDaemon(made);
    const { code, stderr } = await made.run(["status"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("monitor.sqlite")]);
  });
});

describe("a hook that takes long, in the daemon,", () => {
  const slow = (command: string) => ({ name: "slow", type: "command", command, matcher: NO_PUSH.matcher });

  it("is waited for, and ends when the agent ends the call", async () => {
    const made = await servedProject([slow("sleep 11; echo 'Not slowly.' >&2; exit 2")]);
    // Longer than its client waits without a sign of the daemon.
    const { stdout } = await callDaemon(made, shellCall("ls"), patientClient(made, 10));
    expect(stdout).toContain("Not slowly.");
    await made.configure([slow("echo $$ > ended; exec sleep 60")]);
    const { child, result } = start(made, shellCall("ls"));
    const pid = () => Number(readFileSync(join(made.cwd, "ended"), "utf8"));
    await eventually(() => expect(isAlive(pid())).toBe(true));
    child.kill("SIGTERM");
    await result;
    await eventually(() => expect(isAlive(pid())).toBe(false));
  });

  it("holds up no other: twenty calls wait for each other, which one after another never end", async () => {
    const meet =
      "echo x >> met; while [ $(wc -l < met) -lt 20 ]; do sleep 0.1; done; echo 'Met.' >&2; exit 2";
    const made = await servedProject([{ ...slow(meet), timeout: 60 }]);
    const calls = Array.from({ length: 20 }, (_, at) =>
      callDaemon(made, { ...shellCall(`echo ${at}`), tool_use_id: `t${at}` }),
    );
    for (const { stdout } of await Promise.all(calls)) expect(stdout).toContain("Met.");
  });
});

it("a stopped daemon finishes the call under way, and leaves no process", async () => {
  const made = await servedProject([
    {
      name: "slow",
      matcher: NO_PUSH.matcher,
      type: "command",
      command: "touch begun; while [ ! -e go ]; do sleep 0.1; done; echo 'No.' >&2; exit 2",
    },
  ]);
  const under = callDaemon(made, PUSH);
  await eventually(() => expect(existsSync(join(made.cwd, "begun"))).toBe(true));
  const stopping = made.run(["daemon", "stop"]);
  // From then on it takes no other call.
  await eventually(() => expect(existsSync(daemonPlace(made.environment).hookSocket ?? "")).toBe(false));
  made.write("go", "");
  const { stdout } = await stopping;
  expect(stdout).toContain("tenterhook daemon stop --for-good stops it for good");
  expect((await under).stdout).toContain("No.");
  await eventually(() => expect(processesWith(made.folder)).toEqual([]));
});

it("a daemon that a command needed ends like any other, also after restart; one that was started by name stays", async () => {
  const made = await project();
  const startedBy = async () =>
    JSON.parse((await made.run(["daemon", "status", "--json"])).stdout).started_by;
  // What is only noted starts none.
  expect((await made.start(["emit", "agent:idle", "--agent", "a1"])).code).toBe(0);
  expect(processesWith(made.folder)).toEqual([]);
  expect((await made.run(["agents"])).code).toBe(0);
  expect(await startedBy()).toBe("call");
  await made.run(["daemon", "restart"]);
  expect(await startedBy()).toBe("call");
  await made.run(["daemon", "stop"]);
  await made.run(["daemon", "start"]);
  expect(await startedBy()).toBe("command");
  await made.run(["daemon", "restart"]);
  expect(await startedBy()).toBe("command");
  await made.run(["daemon", "stop"]);
  await made.run(["daemon", "restart"]);
  expect(await startedBy()).toBe("command");
});
