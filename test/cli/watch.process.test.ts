import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { needs } from "../support/needs.ts";
import { eventually } from "../support/processes.ts";
import type { Project } from "./support/project.ts";
import {
  agents,
  daemonProject,
  inTerminal,
  pidIn,
  TERMINAL,
  watchedProject,
  watching,
} from "./support/watch.ts";

describe("tenterhook run", () => {
  it("runs a program with its arguments and its input, and ends with its exit code", async () => {
    const project = watchedProject();
    const line = 'read line; echo "$1 $line $TENTERHOOK_AGENT_ID"; echo wrong >&2; exit 7';
    const result = await project.start(
      ["run", "--name", "w1", "--", "sh", "-c", line, "sh", "--json"],
      "typed\n",
    );
    expect(result).toEqual({ code: 7, stdout: "--json typed w1\n", stderr: "wrong\n" });
    expect(await agents(project)).toMatchObject([
      {
        agent_id: "w1",
        host: "sh",
        state: "exited",
        exit_code: 7,
        cwd: project.cwd,
        pid: expect.any(Number),
      },
    ]);
  });

  it("shows that a program runs", async () => {
    const project = await daemonProject();
    const { child, ended } = watching(project, ["--", "sh", "-c", "echo $$ > pid; sleep 300"]);
    const pid = await pidIn(join(project.cwd, "pid"));
    const running = [{ agent_id: "sh-1", state: "working", pid }];
    await eventually(async () => expect(await agents(project)).toMatchObject(running));
    child.kill("SIGTERM");
    // A shell sees that a signal ended it.
    expect(await ended).toEqual([null, "SIGTERM"]);
    expect(await agents(project)).toMatchObject([
      { agent_id: "sh-1", state: "exited", exit_code: 143, exit_signal: "SIGTERM" },
    ]);
  });

  it("passes signals on, and the program decides what they do", async () => {
    const project = await daemonProject();
    const line = "trap 'echo asked; kill $!; exit 5' TERM; sleep 300 & echo $$ > pid; wait";
    const { child, output, ended } = watching(project, ["--", "sh", "-c", line]);
    await pidIn(join(project.cwd, "pid"));
    child.kill("SIGTERM");
    expect([await output, await ended]).toEqual(["asked\n", [5, null]]);
    // Nobody has to continue what was asked to end.
    expect(await agents(project)).toMatchObject([{ exit_code: 5, exit_signal: "SIGTERM" }]);
  });

  it("says what is wrong when there is no such program, as a shell does", async () => {
    const project = await daemonProject();
    expect(await project.start(["run", "--", "no-such-program"])).toMatchObject({
      code: 127,
      stderr: expect.stringContaining("no-such-program"),
    });
    project.write("plain", "text");
    const { code } = await project.start(["run", "--", project.cwd]);
    expect(code).toBe(126);
    expect(await project.start(["watch"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Which program?"),
    });
  });
});

describe("a terminal", () => {
  it("belongs to the program alone", async () => {
    const project = await daemonProject();
    const line =
      'test -t 0 && test -t 1 && test -t 2 && echo terminal; stty -g > modes; read word; echo "got $word"';
    const direct = `stty -g > direct; exec "$@"`;
    // The end of the line, too: what is typed before it would be shown in its middle.
    const steps = [["terminal\r\n", "hello\r"]];
    const { shown, code } = await inTerminal(project, steps, "sh", "-c", `${line}; stty -g > after`);
    expect({ shown, code }).toEqual({ shown: "terminal\nhello\ngot hello\n", code: 0 });
    const modes = (name: string) => readFileSync(join(project.cwd, name), "utf8");
    needs("python3");
    const plain = spawn("python3", [TERMINAL, "[]", "sh", "-c", direct, "sh", "true"], { cwd: project.cwd });
    await once(plain, "close");
    expect([modes("modes"), modes("after")]).toEqual([modes("direct"), modes("direct")]);
  });
});

describe("a watched agent", () => {
  /** A program with an agent's name that writes its arguments, its variables and its settings. */
  function fakeAgent(project: Project, name: string): void {
    const path = project.write(
      `../bin/${name}`,
      '#!/bin/sh\nfor one; do echo "$one"; done > args\nenv > variables\nwhile [ $# -gt 0 ]; do [ "$1" = --settings ] && cp "$2" settings; shift; done\n',
    );
    project.environment.PATH = `${join(path, "..")}:${process.env.PATH}`;
  }
  const lines = ({ cwd }: Project, name: string) =>
    readFileSync(join(cwd, name), "utf8").trimEnd().split("\n");

  it("that is Claude Code has hooks for this run, next to the settings that it is given", async () => {
    const project = await daemonProject();
    fakeAgent(project, "claude");
    const given = { model: "opus", hooks: { Stop: [{ hooks: [{ type: "command", command: "mine" }] }] } };
    const path = project.write("given.json", JSON.stringify(given));
    await project.run(["run", "--name", "w1", "--", "claude", "--settings", path, "-p", "Go."]);
    const [option, file = "", ...others] = lines(project, "args");
    expect([option, others]).toEqual(["--settings", ["-p", "Go."]]);
    const settings = JSON.parse(readFileSync(join(project.cwd, "settings"), "utf8"));
    expect(settings.model).toBe("opus");
    expect(Object.keys(settings.hooks).sort()).toEqual(
      expect.arrayContaining([
        "Notification",
        "PermissionRequest",
        "PreToolUse",
        "SessionEnd",
        "SessionStart",
        "Stop",
      ]),
    );
    expect(settings.hooks.Stop).toHaveLength(2);
    expect(existsSync(file)).toBe(false);
    expect(existsSync(join(project.folder, "home/.claude"))).toBe(false);
    await project.run(["run", "--", "claude", '--settings={"model":"haiku"}']);
    expect(JSON.parse(readFileSync(join(project.cwd, "settings"), "utf8"))).toMatchObject({ model: "haiku" });
  });

  it("that has the hooks anyway gets none for this run", async () => {
    const project = await daemonProject();
    fakeAgent(project, "claude");
    project.write("../config/tenterhook/hooks.yaml", "monitor: { on_prompt: escalate }\n");
    await project.run(["install", "claude", "--user"]);
    await project.run(["run", "--", "claude", "-p", "Go."]);
    expect(lines(project, "args")).toEqual(["-p", "Go."]);
  });

  it("that is Codex has hooks in its arguments, which it trusts for this run", async () => {
    const project = await daemonProject();
    fakeAgent(project, "codex");
    await project.run(["run", "--", "codex", "exec", "Go."]);
    const args = lines(project, "args");
    expect(args.slice(-2)).toEqual(["exec", "Go."]);
    expect(args).toContainEqual(expect.stringMatching(/^hooks\.Stop=\[\{"hooks"=\[\{"type"="command"/));
    expect(args.at(-3)).toMatch(/^hooks\.state=\{.*session-flags.*:stop:0:0"=\{"trusted_hash"="sha256:/);
  });

  it("that takes no hooks for a run says how it would report", async () => {
    const project = await daemonProject();
    fakeAgent(project, "gemini");
    expect(await project.start(["run", "--", "gemini"])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("tenterhook install gemini"),
    });
    expect(lines(project, "variables")).toContain("TENTERHOOK_AGENT_ID=gemini-1");
  });
});
