import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { needs } from "../support/needs.ts";
import { endAfterTest, eventually } from "../support/processes.ts";
import { agentWhen, atWork, daemonProject, workProject } from "./support/agents.ts";
import { CLI } from "./support/run-cli.ts";

const TERMINAL = fileURLToPath(new URL("support/in-terminal.py", import.meta.url));

beforeAll(mustBeBuilt);

describe("the output of a watched program", () => {
  it("is bounded, however much there is", async () => {
    const project = await daemonProject();
    const line =
      'i=0; while [ $i -lt 20000 ]; do echo "line $i of a program that prints a lot"; i=$((i+1)); done';
    const { stdout } = await project.start(["run", "--name", "w1", "--", "sh", "-c", line]);
    expect(stdout.split("\n")).toHaveLength(20_001);
    const { output_path = "" } = await agentWhen(project, "w1", { state: "exited" });
    expect(statSync(output_path).size + statSync(`${output_path}.old`).size).toBeLessThan(800_000);
    expect((await project.run(["agents", "logs", "w1"])).stdout).toContain("line 19999 of");
  });

  it("is whole on a busy machine, where it is read late", async () => {
    const project = await daemonProject();
    // Loaded before us: we stand still when the program has ended, until what it left running has written something.
    const stands = `
      const { ChildProcess } = require("node:child_process");
      const { existsSync, writeFileSync } = require("node:fs");
      const { emit } = ChildProcess.prototype;
      const stand = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
      ChildProcess.prototype.emit = function (name, ...rest) {
        const standStill = () => {
          writeFileSync("stands", "");
          stand(1500);
          while (!existsSync("written")) stand(20);
        };
        if (name === "exit") setImmediate(standStill);
        return emit.call(this, name, ...rest);
      };`;
    project.environment.NODE_OPTIONS = `--require=${project.write("../stands.cjs", stands)}`;
    const line = "(until [ -e stands ]; do sleep 0.1; done; printf 'last words'; : > written) & exit 0";
    const { stdout } = await project.start(["run", "--name", "w1", "--", "sh", "-c", line]);
    expect(stdout).toBe("last words");
  });

  it("ends where its reader ends", async () => {
    const project = await daemonProject();
    const shell = `"$0" "$1" watch --name w1 -- sh -c 'echo one; while echo more; do :; done' | head -1`;
    const child = spawn("sh", ["-c", shell, process.execPath, CLI], {
      cwd: project.cwd,
      env: project.environment,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [shown] = await Promise.all([text(child.stdout), once(child, "close")]);
    expect(shown).toBe("one\n");
    await agentWhen(project, "w1", { agent_id: "w1", state: expect.stringMatching(/^(exited|gone)$/) });
  });
});

describe("an agent of ours", () => {
  it("is left by who is attached on a terminal when the monitor ends", async () => {
    const { running, go, daemon, isMarked, attached } = await attachedToWork(["> ", "touch MARK"]);
    await eventually(() => expect(isMarked()).toBe(true));
    await daemon.close();
    const [shown, [code]] = await attached;
    expect([shown.includes("monitor_unreachable"), code]).toEqual([true, 1]);
    go();
    await running.ended;
  });

  it("is sent what is typed by who attaches on a terminal", async () => {
    const { running, go, isMarked, attached } = await attachedToWork(
      ["> ", "Paint the door, too.\r"],
      // It asks for the next message when the agent has taken this one.
      ["> ", "touch MARK"],
    );
    await eventually(() => expect(isMarked()).toBe(true));
    go();
    await running.ended;
    const [shown, [code]] = await attached;
    expect(code).toBe(0);
    expect(stripVTControlCharacters(shown)).toMatch(/you: Paint the door, too\.\s+agent: I am done\./);
  });
});

/** An agent at work, and who attaches to it on a terminal that was open before it: a later one may be the agent's. */
async function attachedToWork(...steps: readonly (readonly [string, string])[]) {
  needs("python3");
  const project = workProject();
  const mark = join(project.folder, "mark");
  const begin = join(project.folder, "begin");
  const typed = JSON.stringify(steps.map(([seen, types]) => [seen, types.replace("MARK", mark)]));
  const waiting = 'while [ ! -e "$1" ] && [ -d "$PWD" ]; do sleep 0.1; done; shift; exec "$@"';
  const line = ["sh", "-c", waiting, "sh", begin, process.execPath, CLI, "agents", "attach", "worker"];
  const env = { ...project.environment, NO_COLOR: "1" };
  const child = spawn("python3", [TERMINAL, typed, ...line], { cwd: project.cwd, env });
  endAfterTest(child);
  const attached = Promise.all([text(child.stdout), once(child, "close")]);
  const work = await atWork(project);
  writeFileSync(begin, "");
  return { ...work, attached, isMarked: () => existsSync(mark) };
}
