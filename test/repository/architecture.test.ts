import { describe, expect, test } from "vitest";
import { violations } from "./support/architecture.ts";
import { filesBelow, read } from "./support/files.ts";

const files = filesBelow("src", /\.tsx?$/);

/** What is wrong with one planted file. */
function planted(file: string, source: string): readonly string[] {
  return violations(new Map([[file, source]]));
}

test("every import of the sources follows the architecture table", () => {
  expect(files).toContain("src/core/hooks.ts");
  expect(violations(new Map(files.map((file) => [file, read(file)])))).toEqual([]);
});

describe("a planted import is found", () => {
  test.each([
    ["static", 'import { readFile } from "node:fs/promises";', "node:fs/promises"],
    ["for its effects", 'import "zod";', "zod"],
    ["type", 'import type { Stats } from "node:fs";', "node:fs"],
    ["type by name", 'import { type Stats } from "node:fs";', "node:fs"],
    ["namespace", 'import * as fs from "fs";', "fs"],
    ["dynamic", 'const fs = await import("node:fs");', "node:fs"],
    ["dynamic and computed", "const fs = await import(name);", "(computed)"],
    ["type query", 'let fs: typeof import("node:fs");', "node:fs"],
    ["type query by name", 'let stats: import("node:fs").Stats;', "node:fs"],
    ["export from", 'export { z } from "zod";', "zod"],
    ["export all", 'export * from "zod";', "zod"],
    ["export type", 'export type { ZodType } from "zod";', "zod"],
    ["inside a template", `const text = \`a \${await import("zod")} b\`;`, "zod"],
  ])("in core, written as %s", (_, line, target) => {
    const problem =
      target === "(computed)"
        ? "nobody can read where it goes."
        : "core imports neither Node's modules nor packages.";
    expect(planted("src/core/a.ts", `// first line\n${line}\n`)).toEqual([
      `src/core/a.ts:2 imports ${target}: ${problem}`,
    ]);
  });

  test.each([
    ["core/base/a.ts", "../match/glob.ts", "match comes after base."],
    ["core/contracts/a.ts", "../events/payloads.ts", "events comes after contracts."],
    ["core/session/state.ts", "../decide/decision.ts", "decide comes after session."],
    ["core/match/glob.ts", "../ports.ts", "ports.ts comes after match."],
    ["core/decide/a.ts", "../other/b.ts", "the order of parts has no other."],
    ["core/a.ts", "../node/ports.ts", "there is no arrow from core to node."],
    ["core/a.ts", "../index.ts", "there is no arrow from core to (entry files)."],
    ["rules/a.ts", "../node/ports.ts", "there is no arrow from rules to node."],
    ["shared/a.ts", "../node/ports.ts", "there is no arrow from shared to node."],
    ["node/a.ts", "../rules/parse.ts", "there is no arrow from node to rules."],
    ["handlers/a.ts", "../config/files.ts", "there is no arrow from handlers to config."],
    ["config/a.ts", "../handlers/http.ts", "there is no arrow from config to handlers."],
    ["journal/a.ts", "../monitor/wire.ts", "there is no arrow from journal to monitor."],
    ["agent/a.ts", "../monitor/monitor.ts", "there is no arrow from agent to monitor."],
    ["hook/a.ts", "../agent/loop.ts", "there is no arrow from hook to agent."],
    ["hook/a.ts", "../monitor/monitor.ts", "hook may import only report/ of monitor."],
    ["hook/a.ts", "../agent.ts", "hook may import only index.ts, judges.ts of (entry files)."],
    ["adapters/claude/a.ts", "../codex/codec.ts", "claude does not know codex."],
    ["adapters/a.ts", "./codex/codec.ts", "what parts share does not know codex."],
    ["adapters/codec/a.ts", "../codex/codec.ts", "codec does not know codex."],
    ["adapters/claude/a.ts", "../../rules/parse.ts", "there is no arrow from adapters to rules."],
    ["rules/shell/a.ts", "../fields/fields.ts", "fields comes after shell."],
    ["agent/model/a.ts", "../run/turn.ts", "run comes after model."],
    ["monitor/a.ts", "../hook/decide.ts", "there is no arrow from monitor to hook."],
    ["testing.ts", "./cli/hook.ts", "entry files import every folder but cli."],
    ["cli/a.ts", "../../package.json", "it is outside src."],
  ])("from %s to %s", (file, target, problem) => {
    expect(planted(`src/${file}`, `import { a } from "${target}";`)).toEqual([
      `src/${file}:1 imports ${target}: ${problem}`,
    ]);
  });

  test("as a folder the table does not know", () => {
    expect(planted("src/utils/a.ts", "")).toEqual([
      "src/utils/a.ts: the architecture table has no folder utils.",
    ]);
  });

  test("as a global of Node in core", () => {
    const source =
      "const a = process.env;\nBuffer.from([]);\nglobalThis.process;\nb.process; c = { module: 1 };";
    expect(planted("src/core/a.ts", source)).toEqual([
      "src/core/a.ts:1 uses process: core has no globals of Node.",
      "src/core/a.ts:2 uses Buffer: core has no globals of Node.",
      "src/core/a.ts:3 uses process: core has no globals of Node.",
    ]);
  });

  test("a planted require in core is found", () => {
    expect(planted("src/core/a.ts", 'require("zod");')).toEqual([
      "src/core/a.ts:1 imports zod: core imports neither Node's modules nor packages.",
      "src/core/a.ts:1 uses require: core has no globals of Node.",
    ]);
  });
});

describe("what is no import, or an allowed one, is let be", () => {
  test.each([
    ["core/a.ts", '// import "zod"\n/* import "zod" */ const a = "import \\"zod\\"";'],
    ["core/a.ts", `const a = /import "zod"/; const b = \`import "zod" \${a} import "zod"\`;`],
    ["core/a.ts", 'const a = { import: 1, from: "zod" }; export { a }; const from = "zod";'],
    ["core/a.ts", 'export type A = { a: "zod" }; b.import("zod"); import.meta.url;'],
    ["core/decide/a.ts", 'import { b } from "./b.ts"; export * from "../events/c.ts";'],
    ["handlers/a.ts", 'import { b } from "./b.ts"; export * from "./parts/c.ts";'],
    ["node/a.ts", 'import fs from "node:fs"; import type { Ports } from "../core/ports.ts";'],
    ["node/a.ts", 'import { type Ports, type Clock } from "../core/ports.ts";'],
    ["adapters/claude/a.ts", 'import { b } from "./b.ts"; import { c } from "../shared.ts";'],
    ["testing.ts", 'import { a } from "./core/fire.ts"; import { b } from "./agent/loop.ts";'],
    ["cli/a.ts", 'import { a } from "../index.ts"; import { b } from "../adapters/codex/codec.ts";'],
  ])("in %s: %s", (file, source) => {
    expect(planted(`src/${file}`, source)).toEqual([]);
  });
});
