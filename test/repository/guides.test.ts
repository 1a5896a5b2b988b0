import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { openModel } from "../../src/agent/models/open-model.ts";
import { EVENTS, isGateEvent } from "../../src/core/events/event-table.ts";
import { readCases } from "../../src/know/cases/case-file.ts";
import { project } from "../config/support/project.ts";
import { filesBelow, mustBeBuilt, ROOT, temporaryFolder } from "./support/files.ts";
import {
  type Block,
  blocks,
  brokenLinks,
  emptyLists,
  GIVEN,
  linksOutOfPackage,
  PAGES,
} from "./support/guides.ts";
import { compile } from "./support/run.ts";

const all = blocks();
const written = (language: string): readonly Block[] => all.filter((block) => block.language === language);

const pages = [...PAGES, "CONTRIBUTING.md", ...filesBelow("docs/reference", /\.md$/)];

test("every link of the pages leads to a file, and to a heading that is there", () => {
  expect(pages.flatMap(brokenLinks)).toEqual([]);
});

test("every link of the pages leads to a file that users have", () => {
  expect(pages.flatMap(linksOutOfPackage)).toEqual([]);
});

test("no list of a generated page is empty", () => {
  expect(filesBelow("docs/reference", /\.md$/).flatMap(emptyLists)).toEqual([]);
});

test("the guide on failures lists the gates of the table", () => {
  const guide = readFileSync(join(ROOT, "docs/guides/when-hooks-fail.md"), "utf8");
  const listed = /On gates \(([^)]*)\)/.exec(guide)?.[1]?.split(/,\s+/);
  expect(listed).toEqual(Object.keys(EVENTS).filter(isGateEvent));
});

describe("every configuration in the guides loads", () => {
  const isScript = ({ page }: Block): boolean => page.endsWith("models.md");

  const isCases = ({ page, text }: Block): boolean =>
    page.endsWith("testing-hooks.md") && !text.startsWith("hooks:");

  const namesPolicy = ({ page }: Block): boolean => page.endsWith("policy.md");

  test.each(written("yaml").filter((block) => !isScript(block) && !isCases(block) && !namesPolicy(block)))(
    "the configuration $name loads",
    async ({ text }) => {
      const value: unknown = parse(text);
      // A list is a part of a file: its definitions.
      const config = Array.isArray(value) ? { hooks: { definitions: value } } : value;
      const files = project({ "hooks.json": JSON.stringify(config), "team.yaml": "{}" });
      expect(await files.refused()).toEqual(["loaded", ""]);
    },
  );

  test.each(written("yaml").filter(namesPolicy))("$name, when its policy is fetched", async ({ text }) => {
    const [code, message] = await project({ "managed/hooks.yaml": text }).refused();
    const problems = message
      .split("\n")
      .filter((line) => !/is not here yet. tenterhook update|has 2 problems/.test(line));
    expect([code, problems]).toEqual(["config_invalid", []]);
  });

  test.each(written("yaml").filter(isCases))("$name, as test cases", async ({ text }) => {
    const file = join(temporaryFolder(), "cases.yaml");
    writeFileSync(file, text.includes("cases:") ? text : `cases:\n${text}`);
    expect((await readCases(file)).length).toBeGreaterThan(0);
  });

  test.each(written("yaml").filter(isScript))("$name, as a script of a model", async ({ text }) => {
    const file = join(temporaryFolder(), "script.yaml");
    writeFileSync(file, text);
    expect((await openModel(`scripted:${file}`, { environment: {} })).provider).toBe("scripted");
  });
});

describe("every program in the guides", () => {
  beforeAll(mustBeBuilt);

  test("every program in the guides compiles", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    writeFileSync(join(folder, "given.d.ts"), GIVEN);
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(compilerOptions()));
    const programs = written("ts");
    for (const [index, block] of programs.entries()) {
      // A page goes on where its last block ended: what was imported is there.
      const before = programs.slice(0, index).filter(({ page }) => page === block.page);
      const file = `${block.name.replaceAll(/[^a-z0-9]+/gi, "-")}.ts`;
      writeFileSync(join(folder, file), `${imports(before, block)}\n${block.text}\nexport {};\n`);
    }
    expect(await compile(folder, "-p", ".")).toEqual({ code: 0, output: "" });
  });
});

function imports(before: readonly Block[], { text }: Block): string {
  const linesOf = (code: string): readonly string[] => code.match(/^import .* from .*$/gm) ?? [];
  const taken = new Set(linesOf(text).flatMap(importedNames));
  const outside: string[] = [];
  // The last import of a name counts.
  for (const line of before.flatMap((block) => linesOf(block.text)).reverse()) {
    const names = importedNames(line);
    if (names.some((name) => taken.has(name))) continue;
    for (const name of names) taken.add(name);
    outside.push(line);
  }
  return outside.join("\n");
}

function importedNames(line: string): readonly string[] {
  const [, list = ""] = /\{(.*)\}/.exec(line) ?? [];
  return list.split(",").map((name) => name.replace(/^.* /, "").trim() || name.trim());
}

/** Packages that guides use next to ours, with their declarations. */
const OTHER_PACKAGES: readonly (readonly [name: string, types: string])[] = [
  ["zod", "zod/index.d.ts"],
  ["ai", "ai/dist/index.d.ts"],
  ["@ai-sdk/anthropic", "@ai-sdk/anthropic/dist/index.d.ts"],
  ["vitest", "vitest/dist/index.d.ts"],
];

function compilerOptions(): object {
  const subpaths = ["index", "rules", "config", "agent", "project", "dashboard", "stores", "testing"].map(
    (name) => [name === "index" ? "tenterhook" : `tenterhook/${name}`, [join(ROOT, `dist/${name}.d.ts`)]],
  );
  const others = OTHER_PACKAGES.map(([name, types]) => [name, [join(ROOT, "node_modules", types)]]);
  return {
    compilerOptions: {
      target: "es2022",
      lib: ["es2023"],
      module: "nodenext",
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      noEmit: true,
      types: ["node"],
      typeRoots: [join(ROOT, "node_modules/@types")],
      paths: Object.fromEntries([...subpaths, ...others]),
    },
    include: ["."],
  };
}
