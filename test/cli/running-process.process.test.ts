import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { runCli, userEnvironment } from "./support/run-cli.ts";

const PROGRAM = fileURLToPath(new URL("support/deciding-program.mjs", import.meta.url));
const HOOKS = `hooks:
  definitions:
    - name: guard
      type: inline
      matcher: { events: [PreToolUse] }
      rules: 'command contains "x" -> deny("No.")'
`;

beforeAll(mustBeBuilt);

/** A project with one hook, and a process that has it open. */
async function running() {
  const folder = temporaryFolder();
  const cwd = join(folder, "project");
  mkdirSync(join(cwd, ".tenterhook"), { recursive: true });
  mkdirSync(join(cwd, ".git"));
  const file = join(cwd, ".tenterhook", "hooks.yaml");
  writeFileSync(file, HOOKS);
  const env = userEnvironment(folder);
  const cli = async (...args: readonly string[]) => {
    const { code, stderr } = await runCli(cwd, env, ...args);
    expect([args, code, stderr]).toEqual([args, 0, ""]);
  };
  await cli("trust", "--yes");
  const child = spawn(process.execPath, [PROGRAM], { cwd, env, stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const asked = async (command: string): Promise<unknown> => {
    child.stdin.write(`${command}\n`);
    return (await lines.next()).value;
  };
  const end = async (): Promise<unknown> => {
    child.stdin.end();
    const [code] = await once(child, "exit");
    return code;
  };
  return { asked, cli, end, file, cwd, env };
}

test("enable and disable count at the next event of a process that is running", async () => {
  const { asked, cli, end } = await running();
  expect(await asked("x")).toBe("deny");
  await cli("disable", "guard");
  expect(await asked("x")).toBe("continue");
  await cli("enable", "guard");
  expect(await asked("x")).toBe("deny");
  await cli("disable", "guard", "--scope", "project");
  expect(await asked("x")).toBe("continue");
  expect(await end()).toBe(0);
});

test("trust that is revoked closes the gate of a process that is running, and trust opens it again", async () => {
  const { asked, cli, end } = await running();
  expect(await asked("y")).toBe("continue");
  await cli("trust", "--revoke");
  expect(await asked("y")).toBe("deny");
  await cli("trust", "--yes");
  expect(await asked("y")).toBe("continue");
  expect(await end()).toBe(0);
});

test("every decision is in the journal, of which stats tells", async () => {
  const { asked, end, cwd, env } = await running();
  for (const command of ["x", "y", "x"]) await asked(command);
  expect(await end()).toBe(0);
  const { stdout } = await runCli(cwd, env, "stats", "--session", "deciding", "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    decisions: 3,
    denied: 2,
    sessions: 1,
    hooks: [
      { name: "guard", runs: 3, denials: 2, failures: 0 },
      { name: "tenterhook:self-protection", runs: 3, denials: 0, failures: 0 },
    ],
    damage: [],
  });
});

test("a state folder that can't be written stops no decision", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "state"), "");
  mkdirSync(join(folder, "config", "tenterhook"), { recursive: true });
  writeFileSync(join(folder, "config", "tenterhook", "hooks.yaml"), HOOKS);
  const child = spawn(process.execPath, [PROGRAM], {
    cwd: folder,
    env: userEnvironment(folder),
    stdio: ["pipe", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill());
  let errors = "";
  child.stderr.on("data", (part) => {
    errors += part;
  });
  let output = "";
  child.stdout.on("data", (part) => {
    output += part;
  });
  child.stdin.end("x\ny\nx\n");
  const [code] = await once(child, "close");
  expect([code, output]).toEqual([0, "ready\ndeny\ncontinue\ndeny\n"]);
  expect(errors.match(/Could not write decisions to the journal/g)).toHaveLength(1);
  rmSync(join(folder, "state"));
});
