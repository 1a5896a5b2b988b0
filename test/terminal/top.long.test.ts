import { beforeAll, expect, it } from "vitest";
import { TenterhookError } from "../../src/core/base/errors.ts";
import { sqliteMonitor } from "../../src/monitor/store/sqlite-monitor.ts";
import { CLI } from "../cli/support/run-cli.ts";
import { projectDaemon } from "../monitor/support/test-daemon.ts";
import { mustBeBuilt } from "../repository/support/files.ts";
import { eventually } from "../support/processes.ts";
import { inTerminal, terminalWith } from "./support/tmux.ts";
import { WHICH_WAY, watchedAgents } from "./support/watched-agents.ts";

beforeAll(mustBeBuilt);

it("fits again after the terminal was made narrower, lower and wider", async () => {
  const { project, ask, report } = await watchedAgents();
  for (let count = 0; count < 40; count += 1) report("agent:turn", `worker-${count}`, { cwd: "/code/shop" });
  ask("codex-1", WHICH_WAY);
  const terminal = inTerminal(project, ["top"], { columns: 120, rows: 30 });
  await terminal.shows("Which way?");
  for (const [columns, rows] of [
    [50, 30],
    [50, 8],
    [100, 20],
  ] as const) {
    terminal.resize(columns, rows);
    await eventually(() => {
      const lines = terminal.screen().split("\n");
      expect(lines[0]).toMatch(/^ {2}1 waits · 40 work +\d\d:\d\d:\d\d$/);
      expect(lines.filter((line) => line.includes(" wait · "))).toHaveLength(1);
      expect(lines.filter((line) => line.includes("codex-1 asks"))).toHaveLength(rows < 10 ? 0 : 1);
    });
  }
});

it("lists agents on a terminal that does not say how large it is", async () => {
  const { project, report } = await watchedAgents();
  for (const name of ["first", "second"]) report("agent:turn", name);
  const line = 'stty cols 0 rows 0; exec "$0" "$@"';
  const program = ["sh", "-c", line, process.execPath, CLI, "top"];
  const terminal = terminalWith(project.cwd, project.environment, program);
  await terminal.shows(/ {2}2 work[\s\S]*first\n.*second/);
});

it("goes on when the daemon is started again", async () => {
  const { project, report, daemon } = await watchedAgents();
  report("agent:turn", "worker-1");
  const terminal = inTerminal(project, ["top"]);
  await terminal.shows("worker-1");
  await daemon.close();
  expect(await terminal.shows("tenterhook daemon start")).toContain("worker-1");
  report("agent:turn", "worker-2");
  await projectDaemon(project);
  await terminal.shows("worker-2");
  await terminal.hides("tenterhook daemon start");
});

it("says when what hooks report can't be stored", async () => {
  let isFull = false;
  const { project, report } = await watchedAgents({
    openStore: async (file) => {
      const store = await sqliteMonitor(file);
      const full = async () => Promise.reject(new TenterhookError("store_failed", "The disk is full."));
      return { ...store, update: (work) => (isFull ? full() : store.update(work)) };
    },
  });
  report("agent:turn", "worker-1");
  const terminal = inTerminal(project, ["top"]);
  await terminal.shows("worker-1");
  isFull = true;
  report("agent:turn", "worker-2");
  expect(await terminal.shows(/The\s+disk\s+is\s+full\./)).toContain("What hooks report can't be stored");
});

it("a click chooses an agent", async () => {
  const { project, report } = await watchedAgents();
  for (const name of ["first", "second", "third"]) report("agent:turn", name);
  const terminal = inTerminal(project, ["top"]);
  await terminal.shows(/› ● works.* first\n.*second\n.*third/);
  terminal.type("\u001b[<0;5;5M");
  terminal.type("\u001b[<0;5;5m");
  await terminal.shows(/› ● works.* third/);
});
