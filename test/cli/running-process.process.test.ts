import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
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
  await cli("disable", "guard", "--project");
  expect(await asked("x")).toBe("continue");
  expect(await end()).toBe(0);
});
