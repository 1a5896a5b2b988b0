import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createHooks } from "tenterhook";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { mustBeBuilt } from "../../repository/support/files.ts";

const driver = fileURLToPath(new URL("../../fixtures/modules/drive.mjs", import.meta.url));
const folders: string[] = [];

/** Sends a line to the process in which the modules run, and returns its answer. */
let ask: (line: string) => Promise<string>;

beforeAll(() => {
  mustBeBuilt();
  const child = spawn(process.execPath, [driver], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  ask = async (line) => {
    child.stdin.write(`${line}\n`);
    const { value, done } = await answers.next();
    if (done) throw new Error("The process in which the modules run has ended.");
    return value;
  };
  return () => void child.kill();
});

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

type Files = Readonly<Record<string, string>>;

/** What adding the hook says, and then each event, before which files are written. */
async function driven(module: string, files: Files, ...steps: readonly Files[]): Promise<unknown> {
  const root = mkdtempSync(join(tmpdir(), "tenterhook-module-"));
  folders.push(root);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  if ("real/guard.cjs" in files) {
    symlinkSync(join(root, "real"), join(root, "linked"));
    symlinkSync(join(root, "real/guard.cjs"), join(root, "linked.cjs"));
  }
  const answer = await ask(JSON.stringify({ root, definition: { module }, steps }));
  return JSON.parse(answer.replaceAll(root, "ROOT"));
}

const TYPED = `
import { deny, type HookEvent, HookContext } from "tenterhook";
import { reason } from "./lib/reason.js";
enum Mode { On }
export default (event: HookEvent<"PreToolUse">, context: HookContext) =>
  context.signal.aborted || Mode.On !== 0 ? undefined : deny(\`\${reason}: \${event.tool_input.command}\`);
`;

describe("a module", () => {
  it("is the function a library user writes, in TypeScript, with what it imports", async () => {
    const files = { "guard.ts": TYPED, "lib/reason.ts": 'export const reason: string = "no";' };
    expect(await driven("./guard.ts", files, {})).toEqual([{}, { action: "deny", reason: "no: ls" }]);
  });

  it.each<[string, string]>([
    ["guard.mjs", 'export const hook = async () => ({ type: "deny", reason: "no" });'],
    ["guard.js", 'export default () => [{ type: "deny", reason: "no" }];'],
    ["guard.cjs", 'module.exports = () => ({ type: "deny", reason: "no" });'],
    ["guard.js", 'exports.hook = () => ({ type: "deny", reason: "no" });'],
    [
      "guard.mts",
      'const reason: string = await Promise.resolve("no"); export default () => ({ type: "deny", reason });',
    ],
  ])("may be %s: %s", async (file, text) => {
    expect(await driven(file, { [file]: text }, {})).toEqual([{}, { action: "deny", reason: "no" }]);
  });

  it("answers through the engine as any function does", async () => {
    const text =
      'export default (event) => ({ type: "rewrite", next: { ...event.tool_input, timeout: 5 } });';
    expect(await driven("guard.mjs", { "guard.mjs": text }, {})).toEqual([
      {},
      { action: "continue", input: { command: "ls", timeout: 5 } },
    ]);
    expect(
      await driven("guard.mjs", { "guard.mjs": 'export default () => ({ typ: "allow" });' }, {}),
    ).toMatchObject([{}, { action: "deny", failure: { kind: "bad_output" } }]);
  });

  const saying = (reason: string) => `module.exports = () => ({ type: "deny", reason: "${reason}" });`;

  it("is read again at the next event after it changed", async () => {
    const steps: Files[] = [{}, { "guard.cjs": saying("two") }, {}, { "guard.cjs": saying("six") }];
    expect(await driven("guard.cjs", { "guard.cjs": saying("one") }, ...steps)).toEqual([
      {},
      ...["one", "two", "two", "six"].map((reason) => ({ action: "deny", reason })),
    ]);
  });

  it("is read again when what it imports changed", async () => {
    const files = { "guard.ts": TYPED, "lib/reason.ts": 'export const reason = "one";' };
    const steps: Files[] = [{}, { "lib/reason.ts": 'export const reason = "two";' }];
    expect(await driven("guard.ts", files, ...steps)).toEqual([
      {},
      { action: "deny", reason: "one: ls" },
      { action: "deny", reason: "two: ls" },
    ]);
  });

  const bad = (word: string) => `module.exports = { bad: "${word}" };`;
  const using = (specifier: string) =>
    `const { bad } = require("${specifier}"); module.exports = () => ({ type: "deny", reason: bad });`;
  it.each<[string, string, (word: string) => string]>([
    ["./lib", "lib/index.js", bad],
    ["./lib/", "lib/index.js", bad],
    ["./lib", "lib.json", (word) => JSON.stringify({ bad: word })],
    ["./lib.json", "lib.json", (word) => JSON.stringify({ bad: word })],
    ["./lib", "lib", bad],
    ["./lib", "lib/start.js", bad],
  ])("is read again when %s changed, which is %s", async (specifier, file, text) => {
    const files = {
      "guard.cjs": using(specifier),
      [file]: text("one"),
      ...(file === "lib/start.js" ? { "lib/package.json": '{"main":"start.js"}' } : {}),
    };
    expect(await driven("guard.cjs", files, {}, { [file]: text("two") })).toEqual([
      {},
      { action: "deny", reason: "one" },
      { action: "deny", reason: "two" },
    ]);
  });

  it("is read again behind a link to its folder, or to itself", async () => {
    const files = { "real/guard.cjs": using("./lib"), "real/lib.js": bad("one") };
    for (const module of ["linked/guard.cjs", "linked.cjs"]) {
      expect(
        await driven(module, files, {}, { "real/lib.js": bad("two") }, { "real/guard.cjs": saying("three") }),
      ).toEqual([{}, ...["one", "two", "three"].map((reason) => ({ action: "deny", reason }))]);
    }
  });

  it.each<[string, string, string, string]>([
    ["a file it imports", 'import { no } from "./no.mjs";', "no.mjs", 'export const no = "no";'],
    [
      "a package it imports",
      'import { no } from "late-package";',
      "node_modules/late-package/index.mjs",
      'export const no = "no";',
    ],
    [
      "a file it reads",
      'import { readFileSync } from "node:fs"; const no = readFileSync(new URL("no.txt", import.meta.url), "utf8");',
      "no.txt",
      "no",
    ],
  ])("that failed for want of %s loads once that is there", async (_, start, file, text) => {
    const files = {
      "guard.mjs": `${start} export default () => ({ type: "deny", reason: no });`,
      "node_modules/late-package/package.json": '{"exports":"./index.mjs"}',
    };
    expect(await driven("guard.mjs", files, {}, { [file]: text })).toMatchObject([
      { problem: expect.any(String) },
      { failure: { kind: expect.any(String) } },
      { action: "deny", reason: "no" },
    ]);
  });

  it("that a bad edit broke refuses until it is right again", async () => {
    const right = "export default (): void => {};";
    const steps: Files[] = [{}, { "guard.ts": "export default (: void => {};" }, { "guard.ts": right }];
    expect(await driven("guard.ts", { "guard.ts": right }, ...steps)).toEqual([
      {},
      { action: "continue" },
      {
        action: "deny",
        reason: expect.stringContaining("guard.ts does not load: SyntaxError: "),
        failure: { kind: "error", message: expect.stringMatching(/\(guard\.ts:1\)$/) },
      },
      { action: "continue" },
    ]);
  });
});

describe("a module that does not load is announced, refuses, and works once it is there", () => {
  it.each<[string, Files, string, string]>([
    ["is not there", {}, "missing", "There is no file ROOT/guard.mjs."],
    [
      "exports nothing",
      { "guard.mjs": "export const guard = () => {};" },
      "error",
      "ROOT/guard.mjs exports no function: expected a default export, or one named hook.",
    ],
    [
      "throws",
      { "guard.mjs": 'throw new Error("boom");' },
      "error",
      "ROOT/guard.mjs does not load: Error: boom",
    ],
    [
      "imports what is not there",
      { "guard.mjs": 'import "no-such-package"; export default () => {};' },
      "missing",
      "ROOT/guard.mjs does not load: Error: Cannot find package 'no-such-package' imported from ROOT/guard.mjs",
    ],
  ])("%s", async (_, files, kind, message) => {
    const steps: Files[] = [{}, { "guard.mjs": "export default () => {};" }];
    expect(await driven("guard.mjs", files, ...steps)).toEqual([
      { problem: message },
      { action: "deny", reason: `Hook "guard" failed (${kind}): ${message}`, failure: { kind, message } },
      { action: "continue" },
    ]);
  });
});

it("a module of another kind of file is refused when it is added", async () => {
  const matcher = { events: ["PreToolUse"] } as const;
  const definition = { name: "x", type: "module", module: "guard.py", matcher } as const;
  await expect(createHooks().add(definition)).rejects.toMatchObject({
    code: "invalid_option",
    message: 'Hook "x": module must end with .js, .mjs, .cjs, .ts, .mts, .cts.',
  });
});
