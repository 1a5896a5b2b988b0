import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { needs } from "../support/needs.ts";
import { eventually } from "../support/processes.ts";
import { CLI } from "./support/run-cli.ts";
import { type SuspendedSession, suspendedSession, UNTRUSTED } from "./support/suspended-session.ts";

/** An agent's shell: a program of its name that runs a line, without any variable of an agent. */
async function inAgent(
  { cwd, env }: SuspendedSession,
  args: readonly string[],
  ...before: readonly string[]
) {
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

it("a command below an agent's process approves nothing, and trusts nothing", async () => {
  const one = await suspendedSession();
  const refused = [1, expect.stringContaining("Only a person decides this. ")];
  const resumed = await inAgent(one, ["sessions", "resume", one.id, "yes", "--model", "scripted:rest.json"]);
  expect([resumed.code, resumed.stderr]).toEqual(refused);
  expect(one.hasRun()).toBe(false);
  mkdirSync(join(one.cwd, ".tenterhook"));
  writeFileSync(join(one.cwd, ".tenterhook/hooks.yaml"), UNTRUSTED);
  const trusted = await inAgent(one, ["trust", "--yes"]);
  expect([trusted.code, trusted.stderr]).toEqual(refused);
});

it("an orphan with a cleared environment approves nothing, and trusts nothing", async () => {
  const one = await suspendedSession();
  mkdirSync(join(one.cwd, ".tenterhook"));
  writeFileSync(join(one.cwd, ".tenterhook/hooks.yaml"), UNTRUSTED);
  const said = join(one.cwd, "..", "said");
  const orphan = async (...args: readonly string[]) => {
    rmSync(said, { force: true });
    // What it needs to find the user's files, and nothing that says whose it is.
    const { XDG_STATE_HOME = "", XDG_CONFIG_HOME = "" } = one.env;
    const variables = [`XDG_STATE_HOME=${XDG_STATE_HOME}`, `XDG_CONFIG_HOME=${XDG_CONFIG_HOME}`];
    const line = '"$@" 2>"$0.part"; mv "$0.part" "$0"';
    const words = [
      "-i",
      ...variables,
      "setsid",
      "-f",
      "/bin/sh",
      "-c",
      line,
      said,
      process.execPath,
      CLI,
      ...args,
    ];
    await once(spawn("env", words, { cwd: one.cwd, stdio: "ignore" }), "exit");
    await eventually(() => expect(existsSync(said)).toBe(true));
    return readFileSync(said, "utf8").replaceAll(/\s+/g, " ");
  };
  expect(await orphan("trust", "--yes")).toContain("has lost its parents and its variables");
  expect(await orphan("run", "Go.", "--yes", "--model", "scripted:rest.json")).toContain(
    "--yes approves nothing here. Process ",
  );
  expect(one.hasRun()).toBe(false);
});

it("asks nobody on a terminal that an agent has opened", async () => {
  needs("python3");
  const one = await suspendedSession();
  const terminal = fileURLToPath(new URL("support/in-terminal.py", import.meta.url));
  const args = ["run", "Go.", "--model", "scripted:rest.json"];
  const { stdout } = await inAgent(one, args, "python3", terminal, '[["allow once", "y\\n"]]');
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("You are not asked on this terminal. Process ");
  expect(one.hasRun()).toBe(false);
});
