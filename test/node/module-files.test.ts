import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesOf, needNoLoader } from "../../src/node/files/module-files.ts";
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
