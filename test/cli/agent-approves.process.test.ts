import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { needs } from "../support/needs.ts";
import { CLI, runCli } from "./support/run-cli.ts";
import { sessions, workspace } from "./support/session-workspace.ts";

const WRITE = { tool_calls: [{ name: "Write", input: { file_path: "a.txt", content: "x\n" } }] };
/** Not trusted by anybody. */
const HOOKS = `hooks:
  definitions:
    - { name: mine, type: command, matcher: { events: [PreToolUse] }, command: "true" }
`;

/** A project with a session that waits for a permission, and no hooks. */
async function project() {
  const { cwd, env } = workspace({ "ask.json": [WRITE], "rest.json": [WRITE, { text: "Done." }] });
  await runCli(cwd, env, "run", "Go.", "--suspend", "--model", "scripted:ask.json");
  const [session] = await sessions(cwd, env);
  const id = String(session?.agent_id);
  writeFileSync(join(cwd, "answer.json"), JSON.stringify({ tool_use_id: "t", approval: true }));
  return { cwd, env, id, hasRun: () => existsSync(join(cwd, "a.txt")) };
}

type Project = Awaited<ReturnType<typeof project>>;

/** An agent's shell: a program of its name that runs a line, without any variable of an agent. */
async function inAgent({ cwd, env }: Project, args: readonly string[], ...before: readonly string[]) {
  const file = join(cwd, "..", "claude");
  writeFileSync(file, '#!/bin/sh\n"$@"\nexit $?\n');
  chmodSync(file, 0o755);
  const child = spawn(file, [...before, process.execPath, CLI, ...args], { cwd, env });
  // It may end before it has read anything.
  child.stdin.on("error", () => {});
  child.stdin.end("y\ny\n");
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, stdout, stderr };
}

/** The same with the variables that Claude Code sets. */
const withVariables = ({ cwd, env }: Project, args: readonly string[]) =>
  runCli(cwd, { ...env, CLAUDECODE: "1" }, ...args);

describe.each([
  ["below an agent's process", inAgent],
  ["with an agent's variables", withVariables],
])("%s", (_, start) => {
  it.each([
    ["resume", (id: string) => ["resume", id, "yes"]],
    ["resume --answer", (id: string) => ["resume", id, "--answer", "answer.json"]],
    ["fork", (id: string) => ["fork", id, "yes"]],
  ])("%s approves nothing", async (_name, args) => {
    const one = await project();
    const { code, stderr } = await start(one, [...args(one.id), "--model", "scripted:rest.json"]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("not_a_person: Only a person decides this. "),
    ]);
    expect(one.hasRun()).toBe(false);
  });

  it.each([
    ["--yes", (_id: string) => ["run", "Go.", "--yes"]],
    ["--mode bypass", (_id: string) => ["run", "Go.", "--mode", "bypass"]],
    ["resume --yes", (id: string) => ["resume", id, "--yes"]],
  ])("%s approves nothing, and says so", async (_name, args) => {
    const one = await project();
    const { stderr } = await start(one, [...args(one.id), "--model", "scripted:rest.json"]);
    expect(stderr.replaceAll(/\s+/g, " ")).toMatch(
      /--(yes approves|mode bypass counts for) nothing here\. .* agent/,
    );
    expect(one.hasRun()).toBe(false);
  });

  it("trusts nothing", async () => {
    const one = await project();
    mkdirSync(join(one.cwd, ".tenterhook"));
    writeFileSync(join(one.cwd, ".tenterhook/hooks.yaml"), HOOKS);
    const { code, stderr } = await start(one, ["trust", "--yes"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("not_a_person")]);
  });
});

it("asks nobody on a terminal that an agent has opened", async () => {
  needs("python3");
  const one = await project();
  const terminal = fileURLToPath(new URL("support/in-terminal.py", import.meta.url));
  const args = ["run", "Go.", "--model", "scripted:rest.json"];
  await inAgent(one, args, "python3", terminal, '[["allow once", "y\\n"]]');
  expect(one.hasRun()).toBe(false);
});
