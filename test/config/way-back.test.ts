import { rmSync } from "node:fs";
import { createHooks } from "tenterhook";
import { describe, expect, it } from "vitest";
import { applyConfig } from "../../src/config/combine/apply.ts";
import { loadConfigCached } from "../../src/config/open.ts";
import { bashCall } from "../support/events.ts";
import { hooksFile, type Project, project } from "./support/project.ts";

const BACK = [
  "git switch -",
  "git switch main",
  "git switch -q feature/a",
  "git checkout -",
  "git switch - 2>&1",
];

const OTHER = [
  "ls",
  "git checkout src",
  "git switch -f main",
  "git switch -c other",
  "git switch main; ls",
  "git switch $(ls)",
  "git switch main\nls",
  "git switch --discard-changes main",
  "git -c alias.switch=!ls switch -",
  "cd $(ls) && git switch -",
  "cd vendor/bare.git && git switch main",
];

async function passed(files: Project, lines: readonly string[], tool = "Bash"): Promise<readonly string[]> {
  const hooks = createHooks();
  await applyConfig(hooks, await loadConfigCached(files.options));
  const through: string[] = [];
  for (const line of lines) {
    const { action } = await hooks.fire(
      bashCall(line, { cwd: files.path("project"), tool_name: tool, tool_input: { command: line } }),
    );
    if (action === "continue") through.push(line);
  }
  return through;
}

describe("the way back to another branch is open", () => {
  it("where hooks are not trusted", async () => {
    const files = project({ "hooks.yaml": hooksFile("a") });
    expect(await passed(files, [...BACK, ...OTHER])).toEqual(BACK);
  });

  it("where trusted hooks are gone with their file", async () => {
    const files = project({ "hooks.yaml": hooksFile("a") });
    await files.trust();
    rmSync(files.path("project/.tenterhook/hooks.yaml"));
    expect(await passed(files, [...BACK, ...OTHER])).toEqual(BACK);
  });

  it("where the file can't be read and there is no last good one", async () => {
    const files = project({ "hooks.yaml": "<<<<<<< HEAD\n" });
    expect(await passed(files, [...BACK, ...OTHER])).toEqual(BACK);
  });

  it("for a shell, and no tool that has a field of the same name", async () => {
    const files = project({ "hooks.yaml": hooksFile("a") });
    expect(await passed(files, BACK, "mcp__host__type")).toEqual([]);
  });
});
