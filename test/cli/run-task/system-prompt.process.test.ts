import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentPermissions } from "tenterhook/agent";
import { expect, test } from "vitest";
import { systemPrompt } from "../../../src/cli/commands/agent/run/system-prompt.ts";
import { createHooks, deny } from "../../../src/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A workspace next to a folder with a key, and what an agent would read there. */
function workspace(rules: Parameters<typeof agentPermissions>[0] = {}) {
  const around = realpathSync(temporaryFolder());
  const folder = join(around, "project");
  mkdirSync(folder);
  mkdirSync(join(around, "keys"));
  writeFileSync(join(around, "keys", "id"), "KEY OUTSIDE");
  writeFileSync(join(folder, ".env"), "KEY INSIDE");
  const reports: string[] = [];
  const hooks = createHooks();
  const prompt = (...memory_files: readonly string[]) =>
    systemPrompt({
      folder,
      session_id: "s",
      memory_files,
      permissions: agentPermissions(rules),
      mode: "default",
      hooks,
      signal: new AbortController().signal,
      report: (message) => void reports.push(message),
    });
  return { around, folder, hooks, reports, prompt };
}

test("memory files are part of the prompt, up to a length, and a pipe of their name is not waited for", async () => {
  const { folder, prompt, reports } = workspace();
  execFileSync("sh", ["-c", 'mkfifo "$0"', join(folder, "AGENTS.md")]);
  writeFileSync(join(folder, "CLAUDE.md"), `Speak of cats. ${"é".repeat(40_000)}`);
  const made = await prompt("AGENTS.md", "CLAUDE.md", "missing.md");
  const [, memory = ""] = made.split("# CLAUDE.md\n\n");
  expect([memory.startsWith("Speak of cats. éé"), memory.length, memory.at(-1)]).toEqual([true, 30_000, "…"]);
  expect(made).not.toContain("# AGENTS.md");
  expect(reports).toEqual([
    "The memory file AGENTS.md is left out: AGENTS.md is a device or a pipe, not a file.",
  ]);
});

test("a memory file that leads out of the workspace is left out: by a link, by a linked folder, by dots", async () => {
  const { around, folder, prompt, reports } = workspace();
  symlinkSync(join(around, "keys", "id"), join(folder, "AGENTS.md"));
  symlinkSync(join(around, "keys"), join(folder, "docs"));
  expect(await prompt("AGENTS.md", "docs/id", "../keys/id")).not.toContain("KEY");
  expect(reports).toEqual([
    expect.stringContaining("The memory file AGENTS.md is left out: AGENTS.md leads to"),
    expect.stringContaining("The memory file docs/id is left out"),
    expect.stringContaining("The memory file ../keys/id is left out"),
  ]);
});

test("a link to another file of the workspace is followed", async () => {
  const { folder, prompt, reports } = workspace();
  writeFileSync(join(folder, "AGENTS.md"), "Speak of cats.");
  symlinkSync("AGENTS.md", join(folder, "CLAUDE.md"));
  expect(await prompt("CLAUDE.md")).toContain("# CLAUDE.md\n\nSpeak of cats.");
  expect(reports).toEqual([]);
});

test("a rule that denies a file, or wants a human asked, keeps a memory file that leads there out", async () => {
  for (const rules of [{ deny: ["Read(.env)"] }, { ask: ["Read(.env)"] }]) {
    const { folder, prompt, reports } = workspace(rules);
    symlinkSync(".env", join(folder, "AGENTS.md"));
    expect(await prompt("AGENTS.md")).not.toContain("KEY");
    expect(reports).toEqual([expect.stringContaining("Read(.env)")]);
  }
});

test("a hook that refuses to read a file keeps a memory file that leads there out", async () => {
  const { folder, hooks, prompt, reports } = workspace();
  hooks.on("PreToolUse", { path_patterns: ["**/.env"] }, () => deny("That file holds secrets."));
  symlinkSync(".env", join(folder, "AGENTS.md"));
  writeFileSync(join(folder, "CLAUDE.md"), "Speak of cats.");
  const made = await prompt("AGENTS.md", "CLAUDE.md");
  expect([made.includes("KEY"), made.includes("Speak of cats.")]).toEqual([false, true]);
  expect(reports).toEqual(["The memory file AGENTS.md is left out: That file holds secrets."]);
});

test("an absolute path of the configuration may be outside, unless a rule denies it", async () => {
  const { around, prompt } = workspace();
  expect(await prompt(join(around, "keys", "id"))).toContain("KEY OUTSIDE");
  const refusing = workspace({ deny: ["Read(**/keys/**)"] });
  expect(await refusing.prompt(join(refusing.around, "keys", "id"))).not.toContain("KEY");
});
