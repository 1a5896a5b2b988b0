import { once } from "node:events";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { isWhole } from "../../src/node/sqlite/load-sqlite.ts";
import { ROOT } from "../repository/support/files.ts";
import { kill } from "../support/faults/kill.ts";
import { endProcess, eventually, isAlive } from "../support/processes.ts";
import { agents, daemonProject, inTerminal, pidIn, watchedProject, watching } from "./support/watch.ts";

describe("tenterhook run", () => {
  it("gives each running agent a name of its own", async () => {
    const project = await daemonProject();
    const line = 'echo "$TENTERHOOK_AGENT_ID"; read line';
    const first = watching(project, ["--", "sh", "-c", line]);
    await once(first.child.stdout, "readable");
    expect((await project.start(["run", "--", "sh", "-c", line])).stdout).toBe("sh-2\n");
    expect(await project.start(["run", "--name", "sh-1", "--", "true"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('An agent with the name "sh-1" is running.'),
    });
    first.child.stdin.end();
    await first.ended;
    expect((await project.start(["run", "--", "sh", "-c", line])).stdout).toBe("sh-1\n");
  });

  it("gives a name to nobody else while its program runs, also after it was killed itself", async () => {
    const project = await daemonProject();
    const { child, ended } = watching(project, ["--", "sh", "-c", "echo $$ > pid; exec sleep 300"]);
    const pid = await pidIn(join(project.cwd, "pid"));
    onTestFinished(() => endProcess(pid));
    const running = [{ agent_id: "sh-1", state: "working", pid }];
    await eventually(async () => expect(await agents(project)).toMatchObject(running));
    kill(child);
    await ended;
    const line = ["sh", "-c", "echo $TENTERHOOK_AGENT_ID"];
    expect((await project.start(["run", "--", ...line])).stdout).toBe("sh-2\n");
    expect(await project.start(["run", "--name", "sh-1", "--", ...line])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('An agent with the name "sh-1" is running.'),
    });
  });

  it("shows a program that was killed as gone", async () => {
    const project = await daemonProject();
    const { ended } = watching(project, ["--name", "w1", "--", "sh", "-c", "echo $$ > pid; exec sleep 300"]);
    process.kill(await pidIn(join(project.cwd, "pid")), "SIGKILL");
    expect(await ended).toEqual([137, null]);
    expect(await agents(project)).toMatchObject([{ agent_id: "w1", state: "gone" }]);
  });

  it("leaves the program running when it is killed itself, and the monitor sees its end", async () => {
    const project = await daemonProject();
    const { child, ended } = watching(project, ["--", "sh", "-c", "echo $$ > pid; exec sleep 300"]);
    const pid = await pidIn(join(project.cwd, "pid"));
    onTestFinished(() => {
      if (isAlive(pid)) kill(pid);
    });
    await eventually(async () => expect(await agents(project)).toHaveLength(1));
    kill(child);
    await ended;
    expect(await agents(project)).toMatchObject([{ state: "working", pid }]);
    kill(pid);
    await eventually(async () => expect(await agents(project)).toMatchObject([{ state: "gone" }]));
  });
});

describe("a terminal", () => {
  it("sends Ctrl-C to the program, once", async () => {
    const project = await daemonProject();
    const line =
      'trap "echo interrupted >> times" INT; echo ready; read word; read word; echo "$word"; exit 3';
    const { shown, code } = await inTerminal(
      project,
      [
        ["ready", "\u0003"],
        ["^C", "on\ron\r"],
      ],
      "sh",
      "-c",
      line,
    );
    expect(shown).toContain("ready");
    expect(readFileSync(join(project.cwd, "times"), "utf8")).toBe("interrupted\n");
    expect(code).toBe(3);
  });
});

it("a program runs although the package of the monitor is not installed", async ({ skip }) => {
  skip(isWhole(process.versions.node), "This Node has SQLite.");
  const project = watchedProject();
  const program = withoutMonitor(join(project.folder, "package"));
  const { child, output, ended } = watching(project, ["--", "echo", "ran"], program);
  const errors = await text(child.stderr);
  expect(errors).toContain("The monitor needs a package that is not installed.");
  expect(errors).toContain("The program runs without the monitor.");
  expect([await output, await ended]).toEqual(["ran\n", [0, null]]);
  // What it reported is there when the package is.
  expect(await agents(project)).toMatchObject([{ agent_id: "echo-1", state: "exited", exit_code: 0 }]);
});

/** A copy of the built program that does not find the package of the monitor. */
function withoutMonitor(folder: string): string {
  cpSync(join(ROOT, "dist"), join(folder, "dist"), { recursive: true });
  for (const name of ["package.json", "schema"])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  return join(folder, "dist/tenterhook.cjs");
}
