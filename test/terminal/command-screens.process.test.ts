import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
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

/** A guarded project on a machine with two agents, of which one asks something. */
async function shop() {
  stopClock();
  const { project, report, ask } = await watchedAgents();
  const hooks = { use: ["safe-shell", "git-safety"], definitions: [NO_FORCE_PUSH] };
  project.write(".tenterhook/hooks.yaml", stringify({ hooks }));
  await trustProject(project.cwd, project.environment);
  for (const [name, version] of [
    ["claude", "2.1.325"],
    ["codex", "0.166.0"],
  ])
    chmodSync(project.write(`../bin/${name}`, `#!/bin/sh\necho ${version}\n`), 0o755);
  report("agent:turn", "claude-shop", { prompt: "Release the cart package." });
  report("agent:error", "gemini-web", { error_type: "rate_limit", error_message: "Slow down." });
  ask("codex-api", WHICH_WAY, { id: "mh3kq1" });
  const environment = { ...project.environment, PATH: `${join(project.folder, "bin")}:/usr/bin:/bin` };
  return { cwd: project.cwd, environment };
}

/** What is the same in each run: no process, and not the line with version and folder. */
function lasting(rows: readonly string[]): string {
  return rows
    .map((row) =>
      row
        .replaceAll(/process \d+/g, "process N")
        .replace(/^( *Tenterhook) \d.*/, "$1")
        .trimEnd(),
    )
    .join("\n");
}

const SCREENS = [
  ["start", []],
  ["explain", ["explain", "git push -f origin main"]],
  ["list", ["list"]],
  ["status", ["status"]],
  ["decisions", ["decisions"]],
] as const;

describe.each([
  { width: 80, height: 24 },
  { width: 140, height: 40 },
])("at $width x $height", ({ width, height }) => {
  it("commands fit the screen, and look as they should", async () => {
    const { cwd, environment } = await shop();
    for (const [name, args] of SCREENS) {
      const rows = await shownOn(width, { cwd, environment }, ...args);
      const file = `golden/command-${name}-${width}x${height}.txt`;
      await expect(lasting(rows)).toMatchFileSnapshot(file);
    }
  });
});
