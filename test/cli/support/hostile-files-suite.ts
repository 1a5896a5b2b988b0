import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { chosen } from "../../support/long.ts";
import { newProject, type Project, type ProjectOptions, shellCall } from "./project.ts";

/** What an untrusted repository can put in the place of a file. */
export type Kinds = Readonly<Record<string, (file: string) => void>>;

/** What a repository's configuration names, and what is found without being named. */
const PLACES: readonly (readonly [config: string, files: readonly string[]])[] = [
  [
    `hooks:
  definitions:
    - { name: a, matcher: { events: [PreToolUse] }, type: module, module: m.mjs }
    - { name: b, matcher: { events: [PreToolUse] }, type: command, script: s.sh }
    - { name: c, matcher: { events: [PreToolUse] }, type: command, command: [sh, run.sh] }
    - { name: d, matcher: { events: [PreToolUse] }, type: mcp, server: x, tool: y }
`,
    ["m.mjs", "s.sh", "run.sh", ".mcp.json", ".agent/hook.toml", ".tenterhook/hooks/pre-bash.sh"],
  ],
  ["hooks: { use: [../pack.yaml, ../packs] }", ["pack.yaml", "packs", ".tenterhook/hooks.local.yaml"]],
  ["", [".tenterhook/hooks.yaml", "package.json", ".claude/settings.json"]],
];

/** A project whose user has a gate. */
export function userProject(options: ProjectOptions = {}): Project {
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

/** What holds whatever a repository has put in the place of files. */
export function hostileFilesSuite(kinds: Kinds, options: ProjectOptions): void {
  const names = Object.keys(kinds);
  // In `npm test` each of several kinds is in one of the places.
  const cases = names.flatMap((kind, at) => {
    const own = PLACES.filter((_, place) => place === at % PLACES.length);
    const places = names.length === 1 ? PLACES : chosen(own, PLACES);
    return places.map(([config, files]) => ({ kind, config, files }));
  });

  describe("files of an untrusted repository", () => {
    it.each(cases)("that are $kind keep no gate of the user from deciding: $files", async (given) => {
      const project = userProject(options);
      // So that the settings are looked at, too.
      await project.run(["install", "claude"]);
      if (given.config !== "") project.write(".tenterhook/hooks.yaml", given.config);
      for (const place of given.files) {
        const file = join(project.cwd, place);
        rmSync(file, { force: true });
        mkdirSync(dirname(file), { recursive: true });
        kinds[given.kind]?.(file);
      }
      const reply = await project.hook(shellCall("forbidden"));
      expect(reply.stdout).toContain("my own gate");
      for (const command of [
        ["list"],
        ["validate"],
        ["trust"],
        ["doctor"],
        ["import", "claude", "--dry-run"],
      ])
        expect(await project.run(command)).toMatchObject({ code: expect.any(Number) });
    });
  });
}
