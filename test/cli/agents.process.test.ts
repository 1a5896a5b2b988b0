import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { eventually, isAlive } from "../support/processes.ts";
import { agentWhen, atWork, daemonProject, started } from "./support/agents.ts";
import { CLI } from "./support/run-cli.ts";

beforeAll(mustBeBuilt);

describe("the output of a watched program", () => {
  it("is passed on as it is, and its last lines are kept for this user alone, without secrets", async () => {
    const project = await daemonProject({ monitor: { on_dead: "escalate" } });
    project.environment.API_TOKEN = "4711-very-secret";
    const line = 'echo begun; echo "with $API_TOKEN"; echo "it failed" >&2; printf "no newline"; exit 3';
    const { stdout, stderr, code } = await project.start(["run", "--name", "w1", "--", "sh", "-c", line]);
    expect({ stdout, stderr, code }).toEqual({
      stdout: "begun\nwith 4711-very-secret\nno newline",
      stderr: "it failed\n",
      code: 3,
    });
    const { output_path = "", last_output = "" } = await agentWhen(project, "w1", {
      state: "exited",
      exit_code: 3,
    });
    expect(last_output.split("\n").sort()).toEqual(["begun", "it failed", "no newline", "with [redacted]"]);
    expect((statSync(output_path).mode & 0o777).toString(8)).toBe("600");
    expect(readFileSync(output_path, "utf8")).not.toContain("4711");
    expect((await project.run(["agents", "logs", "w1"])).stdout).toContain("with [redacted]\n");
    await eventually(async () => {
      const { stdout: asked } = await project.run(["inbox", "--json"]);
      const [{ context, options }] = JSON.parse(asked).decisions;
      expect(context).toContain("It exited with code 3.");
      expect(context).toContain("it failed");
      expect(options.map(({ label }: { label: string }) => label)).toEqual(["done", "cancel"]);
    });
  });

  it("is followed until the program ends", async () => {
    const project = await daemonProject();
    const line = "echo first; while [ ! -e go ] && [ -d $PWD ]; do sleep 0.1; done; echo last";
    const watch = started(project, ["run", "--name", "w1", "--", "sh", "-c", line]);
    await eventually(async () =>
      expect((await project.run(["agents", "logs", "w1"])).stdout).toBe("first\n"),
    );
    const following = started(project, ["agents", "logs", "w1", "-f"]);
    await once(following.child.stdout, "readable");
    writeFileSync(join(project.cwd, "go"), "");
    await watch.ended;
    expect([await following.output, (await following.ended)[0]]).toEqual(["first\nlast\n", 0]);
  });
});

describe("tenterhook agents stop", () => {
  it("asks the process of an agent to end, and with --force ends it", async () => {
    const project = await daemonProject();
    const stubborn = "trap '' TERM; echo $$ > pid; while :; do sleep 0.1; done";
    const first = started(project, ["run", "--name", "w1", "--", "sleep", "300"]);
    const { pid = 0 } = await agentWhen(project, "w1", { state: "working" });
    expect(await project.run(["agents", "stop", "w1"])).toMatchObject({ code: 0, stdout: "w1 has ended.\n" });
    expect(isAlive(pid)).toBe(false);
    await first.ended;
    await agentWhen(project, "w1", { state: "exited", exit_signal: "SIGTERM" });
    const second = started(project, ["run", "--name", "w2", "--", "sh", "-c", stubborn]);
    await eventually(() => expect(existsSync(join(project.cwd, "pid"))).toBe(true));
    await agentWhen(project, "w2", { state: "working" });
    expect((await project.run(["agents", "stop", "w2", "--force"])).code).toBe(0);
    await second.ended;
    await agentWhen(project, "w2", { state: "gone" });
  });
});

describe("an agent of ours", () => {
  it("reads a message at its next step, and its session is its output", async () => {
    const { project, running, go } = await atWork();
    await eventually(async () =>
      expect((await project.run(["agents", "logs", "worker"])).stdout).toContain("calls: Bash"),
    );
    expect(await project.run(["agents", "send", "worker", "Paint the door, too."])).toMatchObject({
      code: 0,
      stdout: "worker reads it at its next step.\n",
    });
    go();
    await running.ended;
    const { stdout } = await project.run(["agents", "logs", "worker"]);
    expect(stdout).toMatch(
      /^you: Go\.\nagent: I wait\.\ncalls: Bash .*\n.*you: Paint the door, too\.\nagent: I am done\.\n$/s,
    );
    expect((await project.run(["agents", "wait", "worker"])).code).toBe(0);
  });

  it("is shown as it works to who attaches", async () => {
    const { project, running, go } = await atWork();
    const env = { ...project.environment, NO_COLOR: "1" };
    const child = spawn(process.execPath, [CLI, "agents", "attach", "worker"], { cwd: project.cwd, env });
    const attached = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    await once(child.stdout, "readable");
    go();
    await running.ended;
    const [shown, errors, [code]] = await attached;
    expect({ errors, code }).toEqual({ errors: "", code: 0 });
    expect(shown).toMatch(/^you: Go\.\n.*agent: I am done\.\n$/s);
  });
});
