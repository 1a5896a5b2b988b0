import { mkdirSync, realpathSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { computedImports, filesOf, needNoLoader, stampOf } from "../../src/node/files/module-files.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Whether Node alone loads `hook` among these files. */
function loadsAlone(files: Readonly<Record<string, string>>, hook = "hook.mjs"): boolean {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return needNoLoader(filesOf(join(folder, hook)));
}

const HOOK = "export default () => undefined;\n";

describe("a hook's module that Node loads alone", () => {
  it("is JavaScript, with what it imports named in full", () => {
    expect(loadsAlone({ "hook.mjs": HOOK })).toBe(true);
    expect(loadsAlone({ "hook.cjs": "module.exports = () => undefined;" }, "hook.cjs")).toBe(true);
    expect(
      loadsAlone({ "hook.mjs": `import "node:fs";\nimport "./lib/a.mjs";\n${HOOK}`, "lib/a.mjs": "1" }),
    ).toBe(true);
    expect(loadsAlone({ "hook.mjs": `const a = () => import("./a.mjs");\n${HOOK}`, "a.mjs": "1" })).toBe(
      true,
    );
  });

  it("is not TypeScript, and imports none", () => {
    expect(loadsAlone({ "hook.ts": HOOK }, "hook.ts")).toBe(false);
    expect(loadsAlone({ "hook.mjs": `import "./a.ts";\n${HOOK}`, "a.ts": "1" })).toBe(false);
    expect(loadsAlone({ "hook.mjs": `import "./a.js";\n${HOOK}`, "a.ts": "1" })).toBe(false);
    expect(
      loadsAlone({ "hook.mjs": `import "./a.mjs";\n${HOOK}`, "a.mjs": 'import "./b";', "b.js": "1" }),
    ).toBe(false);
  });

  it("imports nothing that its text does not tell, nor this package", () => {
    for (const text of [
      'import { deny } from "tenterhook";',
      "import { deny } from 'tenterhook/agent';",
      "const load = (name) => import(name);",
      "const load = () => import(`./a.mjs`);",
    ])
      expect(loadsAlone({ "hook.mjs": `${text}\n${HOOK}` }), text).toBe(false);
  });
});

it("a file that is rewritten in place, with the same size and time, has another stamp", async () => {
  const file = join(temporaryFolder(), "hook.mjs");
  writeFileSync(file, "export default () => 1;");
  const { atime, mtime } = statSync(file);
  utimesSync(file, atime, mtime);
  const before = stampOf([file]);
  expect(stampOf([file])).toBe(before);
  // The clock of a file system has steps.
  await new Promise((resolve) => setTimeout(resolve, 50));
  writeFileSync(file, "export default () => 2;");
  utimesSync(file, atime, mtime);
  expect(stampOf([file])).not.toBe(before);
});

describe("the files of a module", () => {
  it.each([
    ["a query", 'import "./x.mjs?v=1";'],
    ["a fragment", 'import "./x.mjs#part";'],
    ["a comment inside", 'import /* from */ { a } from /* "./y.mjs" */ "./x.mjs";'],
    ["a comment in a call", 'await import(/* later */ "./x.mjs");'],
    ["a template", "await import(`./x.mjs`);"],
    ["escapes", 'import "./\\u0078.mjs";'],
    ["a line break", 'import {\n  a,\n} from\n  "./x.mjs";'],
    ["export", 'export * from "./x.mjs";'],
    ["createRequire", 'const load = createRequire(import.meta.url); load("./x.mjs");'],
    ["require", "const a = require  ('./x.mjs')"],
    ["escapes in require", 'require("./\\x78.mjs"); require("./\\u{78}.mjs");'],
    ["a part of a URL", 'import "./%78.mjs";'],
    ["a worker", 'new Worker(new URL("x.mjs", import.meta.url));'],
    ["package.json", 'import "#inner";'],
    ["a pattern of package.json", 'import "#lib/x";'],
    ["its own package", 'import "mine/sub";'],
  ])("are found by %s", (_, text) => {
    const folder = temporaryFolder();
    const imports = { "#inner": { node: "./x.mjs", default: "./y.mjs" }, "#lib/*": "./*.mjs" };
    const exports = { "./sub": "./x.mjs" };
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "mine", imports, exports }));
    writeFileSync(join(folder, "hook.mjs"), `${text}\n${HOOK}`);
    writeFileSync(join(folder, "x.mjs"), "1");
    expect(filesOf(join(folder, "hook.mjs"))).toContain(join(realpathSync(folder), "x.mjs"));
  });

  it("are all that a name without its ending can mean: which one counts depends on who loads it", () => {
    const folder = temporaryFolder();
    const hook = join(folder, "hook.cjs");
    writeFileSync(hook, 'require("./help"); require("./lib"); require("./addon");');
    mkdirSync(join(folder, "lib"));
    const names = ["help.ts", "help.js", "lib/package.json", "lib/main.js", "addon.node"];
    for (const name of names) writeFileSync(join(folder, name), "{}");
    writeFileSync(join(folder, "lib/package.json"), '{ "main": "main" }');
    const real = realpathSync(folder);
    expect(filesOf(hook)).toEqual(expect.arrayContaining(names.map((name) => join(real, name))));
  });

  it("may come later: every other file that a name could mean is looked for", () => {
    const folder = realpathSync(temporaryFolder());
    mkdirSync(join(folder, "hooks"));
    const hook = join(folder, "hooks/hook.ts");
    writeFileSync(hook, 'import "./a.js"; import "./b"; import "./c.js"; import "#inner";');
    for (const name of ["a.ts", "b.js", "c.js"]) writeFileSync(join(folder, "hooks", name), "1");
    writeFileSync(join(folder, "package.json"), '{ "imports": { "#inner": "./hooks/c.js" } }');
    const looked = new Set<string>();
    filesOf(hook, (path) => looked.add(path.slice(folder.length + 1)));
    expect([...looked]).toEqual(expect.arrayContaining(["hooks/a.js", "hooks/b.ts", "hooks/package.json"]));
    expect([...looked].filter((path) => path.includes("/c"))).toEqual([]);
  });

  it("are a link and where it leads", () => {
    const folder = realpathSync(temporaryFolder());
    writeFileSync(join(folder, "hook.mjs"), `import "./link.mjs";\n${HOOK}`);
    writeFileSync(join(folder, "x.mjs"), "1");
    symlinkSync("x.mjs", join(folder, "link.mjs"));
    const names = filesOf(join(folder, "hook.mjs")).map((file) => basename(file));
    expect(names).toEqual(["hook.mjs", "link.mjs", "x.mjs"]);
  });

  it.each([
    ["no valid URL", 'import "file:///%E0%A4%A.mjs"; import "./%E0.mjs";'],
    ["no character", '"./\\u{ffffff}.mjs"'],
    ["a zero byte", '"./a\u0000.mjs"; "./a%00.mjs"; "./a\\x00.mjs"'],
    ["longer than any path", `require("./${"x".repeat(5000)}")`],
    ["a link to itself", 'import "./loop.mjs"'],
  ])("are looked for although a name is %s", (_, text) => {
    const folder = temporaryFolder();
    const hook = join(folder, "hook.mjs");
    symlinkSync("loop.mjs", join(folder, "loop.mjs"));
    writeFileSync(hook, text);
    expect(filesOf(hook).map((file) => basename(file))).toEqual(["hook.mjs"]);
  });

  it("may not be known: an import whose name is made when it runs is told", () => {
    const folder = temporaryFolder();
    const warningsFor = (text: string): number => {
      writeFileSync(join(folder, "hook.mjs"), text);
      return computedImports([join(folder, "hook.mjs")]).length;
    };
    expect(warningsFor(["await import(`./$", "{name}.mjs`);"].join(""))).toBe(1);
    expect(warningsFor("await import(name);")).toBe(1);
    expect(warningsFor("require(name)")).toBe(1);
    expect(warningsFor('require("./x" + name)')).toBe(1);
    expect(warningsFor('require(/* "./x" */ name)')).toBe(1);
    expect(warningsFor(`require("./x.mjs"); //${"x".repeat(5_000_001)}`)).toBe(1);
    expect(warningsFor('require("./x.mjs", 1); require( `./y.mjs` )')).toBe(0);
    expect(warningsFor('await import("./x.mjs"); await import(/* c */ "./y.mjs"); import.meta.url')).toBe(0);
  });
});

it("data that a module reads is no file of the module, unless it is required or imported", () => {
  const folder = temporaryFolder();
  for (const name of ["state.json", "notes.md", "data.json"]) writeFileSync(join(folder, name), "1");
  const hook = join(folder, "hook.cjs");
  writeFileSync(
    hook,
    `fs.readFileSync("./state.json"); fs.readFileSync("./notes.md"); require("./data.json");`,
  );
  expect(filesOf(hook).map((file) => basename(file))).toEqual(["hook.cjs", "data.json"]);
});
