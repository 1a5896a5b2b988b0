import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { CLI } from "../cli/support/run-cli.ts";
import { hookAt } from "../monitor/support/waiting-hook.ts";
import { mustBeBuilt } from "../repository/support/files.ts";
import { rulesHook } from "../support/hook-definitions.ts";
import { processesNamed, processesWith } from "../support/processes.ts";
import { inTerminal } from "./support/tmux.ts";
import { WHICH_WAY, watchedAgents } from "./support/watched-agents.ts";

beforeAll(mustBeBuilt);

it("an agent that waits is on top, and a digit answers it while its own terminal asks, too", async () => {
  const { project, report, ask } = await watchedAgents();
  report("agent:turn", "worker-1", { host: "claude", cwd: "/code/api" });
  const terminal = inTerminal(project, ["top"]);
  await terminal.shows("worker-1");
  const asked = ask("codex-1", WHICH_WAY, { host: "codex", cwd: "/code/api" });
  const hook = hookAt(asked, project.environment);
  const shown = await terminal.shows("Which way?");
  expect(shown.indexOf("codex-1")).toBeLessThan(shown.indexOf("worker-1"));
  // What has just come can't be answered yet.
  await wait(1500);
  terminal.keys("2");
  expect(await hook).toMatchObject({ answer: [{ label: "Rename now and deploy both together" }] });
  await terminal.shows(/Given to .+ after \d+\.\d s\./);
  await terminal.hides("Which way?");
  terminal.keys("q");
  expect(await terminal.exitCode()).toBe(0);
  // The screen is as it was before.
  expect(terminal.screen()).not.toContain("worker-1");
});

it("an answer at the agent's own terminal takes the question off the screen", async () => {
  const { project, report, ask } = await watchedAgents();
  ask("codex-1", WHICH_WAY, { session_id: "s1" });
  const terminal = inTerminal(project, ["status", "--watch"]);
  await terminal.shows("Which way?");
  terminal.keys("a");
  await terminal.shows("Your answer:");
  report("agent:turn", "codex-1", { session_id: "s1" });
  await terminal.hides("Which way?");
  terminal.type("2");
  terminal.keys("Enter");
  await terminal.shows("Too late: the agent went on.");
});

it("opens an agent with what hooks decided in its session", async () => {
  const { project, report } = await watchedAgents();
  await project.configure([
    rulesHook("no-force-push", 'args.command matches "--force" -> deny("Not like this.")'),
  ]);
  await project.hook({
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "git push --force" },
  });
  report("agent:turn", "worker-1", { session_id: "s1", usage: { total_tokens: 48_000, context_left: 0.5 } });
  const terminal = inTerminal(project, ["top"], { columns: 140, rows: 40 });
  await terminal.shows("worker-1");
  terminal.keys("Enter");
  expect(await terminal.shows("no-force-push")).toMatch(
    /deny +Bash git push --force +no-force-push: Not like this\./,
  );
  terminal.keys("Escape");
  await terminal.hides("no-force-push");
});

it.each([
  ["Ctrl-C", 130],
  ["SIGTERM", 143],
])("gives the terminal back after %s", async (end, code) => {
  const { project, report } = await watchedAgents();
  report("agent:turn", "worker-1");
  const terminal = inTerminal(project, ["top"]);
  await terminal.shows("worker-1");
  if (end === "Ctrl-C") terminal.keys("C-c");
  else
    for (const pid of processesNamed(`${CLI}\0top`))
      if (processesWith(project.folder).includes(pid)) process.kill(pid, "SIGTERM");
  expect(await terminal.exitCode()).toBe(code);
  expect(terminal.screen()).not.toContain("worker-1");
});

it("keys that come together are read one after the other", async () => {
  const { project, report } = await watchedAgents();
  for (const name of ["first", "second"]) report("agent:turn", name);
  const terminal = inTerminal(project, ["top"]);
  await terminal.shows(/first\n.*second/);
  terminal.type("/second\rb/s");
  const shown = await terminal.shows(/^ {2}\/seconds/m);
  expect(shown).toMatch(/^ {2}2 work {3}only busy \/seconds /);
  expect(shown).toContain("No agent is like that");
});

it("without -w the list is printed once, also without a terminal", async () => {
  const { project, report } = await watchedAgents();
  report("agent:turn", "worker-1", {});
  const { stdout, code } = await project.start(["agents"]);
  expect({ stdout, code }).toEqual({ stdout: expect.stringContaining("worker-1"), code: 0 });
  expect(stdout).not.toContain("\u001b");
});
