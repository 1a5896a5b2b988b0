import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { newProject, type Project, type ProjectOptions, shellCall } from "./support/project.ts";

beforeAll(mustBeBuilt);

/** What an untrusted repository can put in the place of a file. */
const KINDS: Readonly<Record<string, (file: string) => void>> = {
  "a pipe": (file) => void execFileSync("mkfifo", [file]),
  "an endless device": (file) => symlinkSync("/dev/zero", file),
  "a terminal": (file) => symlinkSync("/dev/tty", file),
  "a socket": (file) => {
    const server = createServer().listen(file);
    onTestFinished(() => void server.close());
  },
  "a folder": (file) => void mkdirSync(file),
  "a huge file": (file) => sparse(file, 10_000_000_000),
};

function sparse(file: string, bytes: number): void {
  writeFileSync(file, "");
  truncateSync(file, bytes);
}

/** What a repository's configuration names, and what is found without being named. */
const PLACES: readonly (readonly [config: string, files: readonly string[]])[] = [
  [
    `hooks:
  definitions:
    - { name: a, matcher: { events: [PreToolUse] }, type: module, module: m.mjs }
    - { name: b, matcher: { events: [PreToolUse] }, type: command, script: s.sh }
    - { name: c, matcher: { events: [PreToolUse] }, type: command, command: sh run.sh }
    - { name: d, matcher: { events: [PreToolUse] }, type: mcp, server: x, tool: y }
`,
    ["m.mjs", "s.sh", "run.sh", ".mcp.json", ".agent/hook.toml", ".tenterhook/hooks/pre-bash.sh"],
  ],
  ["hooks: { use: [../pack.yaml, ../packs] }", ["pack.yaml", "packs", ".tenterhook/hooks.local.yaml"]],
  ["", [".tenterhook/hooks.yaml", "package.json", ".claude/settings.json"]],
];

const CASES = Object.keys(KINDS).flatMap((kind) =>
  PLACES.map(([config, files]) => ({ kind, config, files })),
);

function userProject(options: ProjectOptions = {}): Project {
  const project = newProject(options);
  const folder = join(project.folder, "config/tenterhook");
  mkdirSync(folder, { recursive: true });
  const rule = `command contains "forbidden" -> deny("my own gate")`;
  writeFileSync(
    join(folder, "hooks.yaml"),
    `hooks: { definitions: [{ name: mine, type: inline, matcher: { events: [PreToolUse] }, rules: '${rule}' }] }`,
  );
  return project;
}

describe("files of an untrusted repository", () => {
  it.each(CASES)("that are $kind keep no gate of the user from deciding: $files", async (given) => {
    // The program itself meets the worst kind; the others are read by the same code in this process.
    const project = userProject({ decidesHere: given.kind !== "a pipe" });
    // So that the settings are looked at, too.
    await project.run(["install", "claude"]);
    if (given.config !== "") project.write(".tenterhook/hooks.yaml", given.config);
    for (const place of given.files) {
      const file = join(project.cwd, place);
      rmSync(file, { force: true });
      mkdirSync(dirname(file), { recursive: true });
      KINDS[given.kind]?.(file);
    }
    const reply = await project.hook(shellCall("forbidden"));
    expect(reply.stdout).toContain("my own gate");
    for (const command of [["list"], ["validate"], ["trust"], ["doctor"], ["import", "claude", "--dry-run"]])
      expect(await project.run(command)).toMatchObject({ code: expect.any(Number) });
  });

  it("of hundreds of megabytes in all are not read", async () => {
    const project = userProject();
    const names = Array.from({ length: 60 }, (_, at) => `big${at}.sh`);
    for (const name of names) sparse(join(project.cwd, name), 99_000_000);
    project.write(
      ".tenterhook/hooks.yaml",
      `hooks: { definitions: [{ name: a, matcher: { events: [PreToolUse] }, type: command, command: sh ${names.join(" ")} }] }`,
    );
    const reply = await project.hook(shellCall("forbidden"));
    expect(reply.stdout).toContain("my own gate");
    expect((await project.run(["trust"])).stdout).toContain("(not text, 99000000 bytes)");
  });
});
