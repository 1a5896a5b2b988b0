import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openHooks } from "tenterhook/project";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { trustProject } from "../support/trust-project.ts";
import { inPlace, runCli, userEnvironment } from "./support/run-cli.ts";

const HOOKS = `hooks:
  definitions:
    - name: guard
      type: inline
      matcher: { events: [PreToolUse] }
      rules: 'command contains "x" -> deny("No.")'
`;

/** Hooks that are open for a folder, and what was reported about them. */
async function openedIn(cwd: string, env: NodeJS.ProcessEnv) {
  const reports: string[] = [];
  const report = (message: string): void => void reports.push(message);
  const { hooks, close } = await inPlace({ cwd, environment: env }, () => openHooks({ cwd, report }));
  let open = true;
  const closeOnce = async (): Promise<void> => {
    if (open) await close();
    open = false;
  };
  onTestFinished(closeOnce);
  const asked = (command: string): Promise<unknown> =>
    inPlace({ cwd, environment: env }, async () => {
      const event = { hook_event_name: "PreToolUse", session_id: "deciding", cwd } as const;
      return (await hooks.fire({ ...event, tool_name: "Bash", tool_input: { command } })).action;
    });
  return { asked, close: closeOnce, reports };
}

/** A project with one hook, which is open. */
async function opened() {
  const folder = temporaryFolder();
  const cwd = join(folder, "project");
  mkdirSync(join(cwd, ".tenterhook"), { recursive: true });
  mkdirSync(join(cwd, ".git"));
  writeFileSync(join(cwd, ".tenterhook", "hooks.yaml"), HOOKS);
  const env = userEnvironment(folder);
  await trustProject(cwd, env);
  const cli = async (...args: readonly string[]) => {
    const { code, stderr } = await runCli(cwd, env, ...args);
    expect([args, code, stderr]).toEqual([args, 0, ""]);
  };
  return { ...(await openedIn(cwd, env)), cli, cwd, env };
}

test("trust that is revoked closes the gate of a process that has them open, and trust opens it again", async () => {
  const { asked, cli } = await opened();
  expect(await asked("y")).toBe("continue");
  await cli("trust", "--revoke");
  expect(await asked("y")).toBe("deny");
  await cli("trust", "--yes");
  expect(await asked("y")).toBe("continue");
});

test("every decision is in the journal, of which stats tells", async () => {
  const { asked, close, cwd, env } = await opened();
  for (const command of ["x", "y", "x"]) await asked(command);
  await close();
  const { stdout } = await runCli(cwd, env, "log", "--stats", "--session", "deciding", "--json");
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
  const { asked, close, reports } = await openedIn(folder, userEnvironment(folder));
  expect([await asked("x"), await asked("y"), await asked("x")]).toEqual(["deny", "continue", "deny"]);
  await close();
  expect(reports).toEqual([expect.stringContaining("Could not write decisions to the journal")]);
  rmSync(join(folder, "state"));
});
