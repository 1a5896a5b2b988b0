import { dirname } from "node:path";
import { expect, it } from "vitest";
import { trustProject } from "../support/trust-project.ts";
import { newProject } from "./support/project.ts";
import { runCli } from "./support/run-cli.ts";

const FILE = '[turn_start]\ncommand = "date"\n';

it("list and the first screen name the programs of .agent/hook.toml, and say that untrusted ones do not run", async () => {
  const project = newProject();
  project.write(".agent/hook.toml", FILE);
  const list = async () => (await project.run(["list"])).stdout.replaceAll(/\s+/g, " ");
  const first = async () => (await project.run([])).stdout.replaceAll(/\s+/g, " ");
  expect(await list()).toContain(
    "Hook(TurnStart) date .agent/hook.toml not trusted yet: tenterhook trust shows what would run",
  );
  expect(await first()).toContain("✗ 1 turn program of .agent/hook.toml, not trusted yet tenterhook trust");
  await trustProject(project.cwd, project.environment);
  expect(await list()).not.toContain("not trusted");
  expect(await first()).toContain("● 1 turn program of .agent/hook.toml, for the built-in agent");
  const check = (await project.run(["check"])).stdout.replaceAll(/\s+/g, " ");
  expect(check).toContain("✓ configuration 0 hooks of 0 files, 1 turn program of .agent/hook.toml.");
});

it("list NAME shows one, and off says how it is switched off", async () => {
  const project = newProject();
  project.write(".agent/hook.toml", FILE);
  for (const name of ["turn_start", "TurnStart", "Hook(TurnStart)"]) {
    const { code, stdout } = await project.run(["list", name]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `Hook(TurnStart)  runs at the start of each turn of the built-in agent
state           not trusted yet: tenterhook trust shows what would run
from            .agent/hook.toml, turn_start
program         date
off             take [turn_start] out of the file
last 7 days     never ran
`,
    });
  }
  expect((await project.run(["list", "turn_end"])).stderr).toContain('There is no hook "turn_end" here.');
  const { code, stderr } = await project.run(["off", "turn_start"]);
  expect({ code, stderr: stderr.replaceAll(/\s+/g, " ") }).toEqual({
    code: 2,
    stderr: expect.stringContaining(
      "Hook(TurnStart) is a program of .agent/hook.toml, which has no switch. Take [turn_start] out of the file.",
    ),
  });
});

it("list NAME says that a program does not run on turns that hooks start", async () => {
  const project = newProject();
  project.write(".agent/hook.toml", `${FILE}run_on_hook_input = false\n`);
  const { stdout } = await project.run(["list", "turn_start"]);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "Hook(TurnStart) runs at the start of each turn of the built-in agent, but not of those that hooks start",
  );
  const shown = JSON.parse((await project.run(["list", "turn_start", "--json"])).stdout);
  expect(shown).toMatchObject({ run_on_hook_input: false, recent_runs: [] });
});

it("explain names the program that runs with an event", async () => {
  const project = newProject();
  project.write(".agent/hook.toml", FILE);
  project.write("start.json", JSON.stringify({ hook_event_name: "TurnStart", input: "go" }));
  const explained = async () => (await project.run(["explain", "start.json"])).stdout.replaceAll(/\s+/g, " ");
  expect(await explained()).toContain(
    "Program Hook(TurnStart) date, not trusted yet: tenterhook trust shows what would run",
  );
  await trustProject(project.cwd, project.environment);
  expect(await explained()).toContain(
    "Program Hook(TurnStart) date, runs at the start of each turn of the built-in agent",
  );
});

it("check and install name the file that is not trusted, and accuse no hook", async () => {
  const project = newProject();
  await project.configure([
    {
      name: "all",
      type: "inline",
      matcher: { events: ["PreToolUse"] },
      rules: 'command equals "x" -> deny("No.")',
    },
  ]);
  project.write(".agent/hook.toml", FILE);
  const check = (await project.run(["check"])).stdout.replaceAll(/\s+/g, " ");
  expect(check).toContain("! trust .agent/hook.toml is not trusted yet. Fix: tenterhook trust");
  const install = (await project.run(["install", "claude", "-v"])).stdout.replaceAll(/\s+/g, " ");
  expect(install).toContain(".agent/hook.toml is not trusted yet: tenterhook trust shows what would run.");
  expect(install).not.toContain("hooks are not trusted");
});

it("in a folder below, the same programs are listed, checked, explained and trusted", async () => {
  const project = newProject();
  project.write(".agent/hook.toml", FILE);
  const start = JSON.stringify({ hook_event_name: "TurnStart", input: "go" });
  const below = dirname(project.write("packages/app/start.json", start));
  const said = async (...args: readonly string[]) =>
    (await runCli(below, project.environment, ...args)).stdout.replaceAll(/\s+/g, " ");
  expect(await said()).toContain("✗ 1 turn program of .agent/hook.toml, not trusted yet tenterhook trust");
  expect(await said("list")).toContain(
    `Hook(TurnStart) date ${project.cwd}/.agent/hook.toml not trusted yet`,
  );
  expect(await said("check")).toContain("not trusted yet. Fix: tenterhook trust");
  expect(await said("trust", "--list")).toContain(`${project.cwd} untrusted + new .agent/hook.toml`);
  await trustProject(below, project.environment);
  expect(await said()).toContain("● 1 turn program of .agent/hook.toml, for the built-in agent");
  expect(await said("list")).not.toContain("not trusted");
  expect(await said("check")).toContain("1 turn program of .agent/hook.toml.");
  expect(await said("explain", "start.json")).toContain("Program Hook(TurnStart) date, runs at the start");
  expect((await project.run(["list"])).stdout).not.toContain("not trusted");
});
