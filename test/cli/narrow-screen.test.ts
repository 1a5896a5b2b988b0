import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CommandRun, Invocation } from "../../src/cli/command-line/command.ts";
import { showFailure } from "../../src/cli/command-line/failures.ts";
import { processScreen } from "../../src/cli/command-line/screen/screen.ts";
import { run } from "../../src/cli/commands/hooks/list.ts";
import { run as importHooks } from "../../src/cli/commands/integrations/import.ts";
import { COMMAND_TABLE } from "../../src/cli/table/table.ts";
import { TenterhookError } from "../../src/core/base/errors.ts";
import { project } from "../config/support/project.ts";
import { aPerson } from "../support/a-person.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { userEnvironment } from "./support/run-cli.ts";

/** What `list` prints of these hooks on a screen of so many columns. */
async function listed(width: number, definitions: readonly object[]): Promise<readonly string[]> {
  const { options } = project({ "hooks.json": JSON.stringify({ hooks: { definitions } }) });
  return printed(run, width, options);
}

/** What a command prints on a screen of so many columns. */
async function printed(
  command: CommandRun,
  width: number,
  { cwd, environment }: Pick<Invocation, "cwd"> & { readonly environment?: NodeJS.ProcessEnv },
  names: readonly string[] = [],
): Promise<readonly string[]> {
  const { screen, lines } = narrow(width);
  const { signal } = new AbortController();
  const outcome = await command({
    table: COMMAND_TABLE,
    names,
    options: {},
    json: false,
    screen,
    cwd,
    environment: environment ?? {},
    parent: 1,
    standing: aPerson,
    signal,
  });
  if (typeof outcome === "object") screen.print(outcome.blocks);
  return lines();
}

/** A terminal of so many columns, or a pipe, and what it shows. */
function narrow(width: number) {
  let shown = "";
  const stream = {
    isTTY: Number.isFinite(width),
    columns: width,
    write: (text: string) => {
      shown += text;
    },
  };
  const screen = processScreen({ NO_COLOR: "1" }, { stdout: stream, stderr: stream, stdin: {} });
  return { screen, lines: () => shown.trimEnd().split("\n") };
}

const inline = (name: string) => ({
  name,
  type: "inline",
  matcher: { events: ["PreToolUse", "PostToolUse"] },
  rules: 'tool equals "x" -> deny("no")',
});

describe("a list of hooks", () => {
  it.each([80, 60, 40])("is no wider than a screen of %i columns", async (width) => {
    const lines = await listed(width, [inline("a-rather-long-name-of-a-hook-that-goes-on"), inline("b")]);
    expect(lines.filter((line) => line.length > width)).toEqual([]);
  });

  it("has one row for a hook, however long its name", async () => {
    const lines = await listed(Number.POSITIVE_INFINITY, [inline("n".repeat(100))]);
    const [row = "", ...others] = lines.filter((line) => line.trim().startsWith("nnn"));
    expect(others).toEqual([]);
    expect(row).toMatch(/… {2}PreToolUse PostToolUse {2}untrusted {5}0$/);
    expect(row.length).toBe(120);
  });

  it("has the titles of its columns right above the first row", async () => {
    const lines = await listed(80, [inline("b")]);
    const at = lines.findIndex((line) => line.includes("NAME"));
    expect(lines[at + 1]).toMatch(/^ {4}b {5}PreToolUse PostToolUse {2}untrusted/);
  });
});

it.each([80, 60])("what import left out is no wider than a screen of %i columns", async (width) => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, ".claude"));
  const hook = { type: "command", command: "x", if: "Bash(git push:*)" };
  const settings = { hooks: { PreToolUse: [{ matcher: "mcp__docs__.*", hooks: [hook] }] } };
  writeFileSync(join(folder, ".claude/settings.json"), JSON.stringify(settings));
  const places = { cwd: folder, environment: userEnvironment(folder) };
  const lines = await printed(importHooks, width, places, ["claude"]);
  expect(lines.slice(0, -1).join(" ").replaceAll(/ +/g, " ").trim()).toBe(
    '- x PreToolUse mcp__docs__.* if Bash(git push:*) Its condition "Bash(git push:*)" never holds for a tool of its matcher "mcp__docs__.*"; the hook was skipped.',
  );
  expect(lines.slice(0, -1).filter((line) => line.length > width)).toEqual([]);
});

it.each([80, 60])("what went wrong is broken between words on a screen of %i columns", (width) => {
  const { screen, lines } = narrow(width);
  const words = "There is no such thing here. ".repeat(10).trim();
  const error = new TenterhookError("usage_error", words, { hint: words });
  expect(showFailure(error, { screen, json: false, cwd: "/" })).toBe(2);
  expect(lines().filter((line) => line.length > width)).toEqual([]);
  expect(
    lines()
      .map((line) => line.trim())
      .join(" "),
  ).toBe(`${words} ${words}`);
});
