import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { mustBeBuilt, ROOT, temporaryFolder } from "./support/files.ts";
import { type Block, blocks, GIVEN } from "./support/guides.ts";
import { compile } from "./support/run.ts";

beforeAll(mustBeBuilt);

test("every program in the guides compiles", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "given.d.ts"), GIVEN);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(compilerOptions()));
  const programs = blocks().filter(({ language }) => language === "ts");
  for (const [index, block] of programs.entries()) {
    // A page goes on where its last block ended: what was imported is there.
    const before = programs.slice(0, index).filter(({ page }) => page === block.page);
    const file = `${block.name.replaceAll(/[^a-z0-9]+/gi, "-")}.ts`;
    writeFileSync(join(folder, file), `${imports(before, block)}\n${block.text}\nexport {};\n`);
  }
  expect(await compile(folder, "-p", ".")).toEqual({ code: 0, output: "" });
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
