import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { findProgram } from "../../src/node/process/find-program.ts";
import { hookHere } from "../cli/support/decided-here.ts";
import { shellCall } from "../cli/support/project.ts";
import { shownOn } from "../cli/support/reported-agents.ts";
import { stopClock } from "../support/stop-clock.ts";
import { trustProject } from "../support/trust-project.ts";
import { WHICH_WAY, watchedAgents } from "./support/watched-agents.ts";

const NO_FORCE_PUSH = {
  name: "no-force-push",
  type: "inline",
  matcher: { events: ["PreToolUse"], tools: ["Bash"] },
  rules: 'command runs "git push --force" -> deny("Use --force-with-lease on your own branch.")',
};

const CASES = `cases:
  - name: a force push is refused
    bash: git push --force
    expect: { action: deny }
  - name: a push is refused, too
    bash: git push
    expect: { action: deny }
`;

/** A project on a machine with two agents, whose hooks are written and not yet connected, and three agents that report. */
async function shop() {
  stopClock();
  const { project, report, ask } = await watchedAgents();
  const hooks = { use: ["safe-shell", "git-safety"], definitions: [NO_FORCE_PUSH] };
  project.write(".tenterhook/hooks.yaml", stringify({ hooks }));
  project.write(".tenterhook/tests/pushes.yaml", CASES);
  await trustProject(project.cwd, project.environment);
  for (const [name, version] of [
    ["tenterhook", "0.1.0"],
    ["claude", "2.1.325"],
    ["codex", "0.166.0"],
    ["sudo", ""],
  ])
    project.write(`../bin/${name}`, `#!/bin/sh\necho ${version}\n`);
  const { PATH } = project.environment;
  for (const name of ["git", "sh"])
    symlinkSync(findProgram(name, project.cwd, { PATH }) ?? "", join(project.folder, "bin", name));
  project.write("../state/tenterhook/monitor/hook.sock", "");
  report("agent:turn", "claude-shop", { prompt: "Release the cart package." });
  report("agent:error", "gemini-web", { error_type: "rate_limit", error_message: "Slow down." });
  ask("codex-api", WHICH_WAY, { id: "mh3kq1" });
  const { TENTERHOOK_DAEMON: _, ...variables } = project.environment;
  return {
    cwd: project.cwd,
    // No screen shows where a test has its folder, or which programs the machine has: paths begin at the project or at the home.
    environment: {
      ...variables,
      HOME: project.folder,
      PATH: join(project.folder, "bin"),
      DOCKER_HOST: `unix://${project.folder}/no-docker.sock`,
    },
  };
}

/** What each command of the help shows, in the order of somebody's first hour. */
const SCREENS: readonly (readonly string[])[] = [
  ["--help"],
  [],
  ["init"],
  ["explain", "git push -f origin main"],
  ["reach"],
  ["list"],
  ["list", "no-force-push"],
  ["check"],
  ["install", "claude"],
  ["check"],
  [],
  ["add", "no-secrets-in-files"],
  ["off", "no-force-push"],
  ["on", "no-force-push"],
  ["trust"],
  ["import", "claude"],
  ["test"],
  ["replay"],
  ["prove", "gemini"],
  ["update"],
  ["log"],
  ["log", "--stats"],
  ["log", "--costs"],
  ["agents"],
  ["agents", "show", "codex-api"],
  ["inbox"],
  ["inbox", "mh3kq1"],
  ["answer", "mh3kq1", "2"],
  ["away"],
  ["back"],
  ["sessions"],
  ["run", "Say hello."],
  ["dashboard", "--help"],
  ["fleet"],
  ["daemon", "status"],
  ["uninstall", "claude"],
];

/** Claude Code runs a few commands. */
async function work(place: Parameters<typeof hookHere>[0]): Promise<void> {
  for (const command of ["git status", "git push --force origin main", "rm -rf ~"]) {
    const call = { session_id: "s1", cwd: place.cwd, tool_use_id: "t1", ...shellCall(command) };
    await hookHere(place, JSON.stringify(call));
  }
}

/** What is the same in each run: no process, no folder of a test, and not the line with version and folder. */
function lasting(rows: readonly string[]): string {
  return rows
    .map((row) =>
      row
        .replaceAll(/process \d+/g, "process N")
        .replaceAll(/\d{8}T\d{9}Z/g, "20261119T094100000Z")
        .replaceAll(/\b\d\d:\d\d\b/g, "09:41")
        .replaceAll(/\w{3} \d{4}-\d\d-\d\d/g, "Thu 2026-11-12")
        .replaceAll(/127.0.0.1:\d+/g, "127.0.0.1:PORT")
        // How wide a column of durations is depends on the machine.
        .replaceAll(/ +\d+(\.\d)? ms/g, "  0.1 ms")
        .replaceAll(/ +(MEAN|P95)/g, "  $1")
        .trimEnd(),
    )
    .join("\n");
}

describe.each([
  { width: 80, height: 24 },
  { width: 140, height: 40 },
])("at $width x $height", ({ width, height }) => {
  it("every command looks as it should", async () => {
    const place = await shop();
    const shown: string[] = [];
    for (const args of SCREENS) {
      if (args[0] === "log" && args.length === 1) await work(place);
      const rows = await shownOn(width, place, ...args);
      shown.push(`$ tenterhook ${args.join(" ")}`, lasting(rows), "");
    }
    await expect(shown.join("\n")).toMatchFileSnapshot(`golden/commands-${width}x${height}.txt`);
  });
});
