import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { buildDoors } from "../../scripts/doors.mjs";
import { isHookHandler } from "../../src/adapters/settings/call-without-shell.ts";
import { compilePathGlob } from "../../src/core/match/glob.ts";
import { compileInlineRules } from "../../src/rules/rules.ts";
import { filesBelow, read } from "../repository/support/files.ts";
import { ports } from "../rules/ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder(afterAll);
beforeAll(() => buildDoors(folder));

const door = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), "utf8"));

const Hooks = z.object({
  hooks: z.record(z.string(), z.array(z.object({ hooks: z.array(z.record(z.string(), z.unknown())) }))),
});

it.each([
  ["claude/tenterhook-guard/hooks/hooks.json", "PreToolUse"],
  ["codex/plugins/tenterhook-guard/hooks/hooks.json", "PreToolUse"],
  ["gemini/hooks/hooks.json", "BeforeTool"],
])("%s calls us as install would write it, before each call above all", (file, gate) => {
  const { hooks } = Hooks.parse(door(file));
  expect(Object.keys(hooks)).toContain(gate);
  const handlers = Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks));
  expect(handlers.filter((handler) => !isHookHandler(handler))).toEqual([]);
});

it("every manifest has the version of the package", () => {
  const { version } = JSON.parse(read("package.json"));
  const manifests = [
    "claude/tenterhook-guard/.claude-plugin/plugin.json",
    "codex/plugins/tenterhook-guard/.codex-plugin/plugin.json",
    "gemini/gemini-extension.json",
  ];
  for (const file of manifests) expect(door(file)).toMatchObject({ name: "tenterhook-guard", version });
});

it("the entry of SchemaStore is for the files that are read, and no others", () => {
  const { fileMatch } = z
    .object({ fileMatch: z.array(z.string()) })
    .parse(door("schemastore/catalog-entry.json"));
  const isMatched = (file: string) => fileMatch.some((glob) => compilePathGlob(glob, false)(file));
  expect(
    [
      "/p/.tenterhook/hooks.yaml",
      "/p/.tenterhook/hooks.yml",
      "/p/.tenterhook/hooks.json",
      "/p/.tenterhook/hooks.local.yaml",
    ].filter(isMatched),
  ).toHaveLength(4);
  expect(["/p/hooks.yaml", "/p/.tenterhook/tests/a.yaml"].filter(isMatched)).toEqual([]);
});

it("the skill's configuration is one that loads, and its examples hold", async () => {
  const [, text = ""] = /```yaml\n([\s\S]*?)```/.exec(read("doors/skill/SKILL.md")) ?? [];
  const { definitions } = parse(text).hooks;
  expect(definitions).toHaveLength(1);
  const { rules } = await compileInlineRules(definitions[0], ports);
  expect(rules).toHaveLength(2);
});

it("the guide gives the action only what it takes, at the place where it is", () => {
  const [, text = ""] = /```yml\n(- uses:[\s\S]*?)```/.exec(read("docs/guides/testing.md")) ?? [];
  const [step] = parse(text);
  const { inputs } = parse(readFileSync(join(folder, "action/action.yml"), "utf8"));
  expect(step.uses).toBe("./node_modules/tenterhook/dist/doors/action");
  expect(Object.keys(step.with).filter((name) => !Object.keys(inputs).includes(name))).toEqual([]);
});

it("the files of the doors are those that the build copies", () => {
  expect(filesBelow("doors", /./)).toEqual([
    "doors/action/action.yml",
    "doors/action/steps.mjs",
    "doors/claude/register.js",
    "doors/skill/SKILL.md",
  ]);
});
