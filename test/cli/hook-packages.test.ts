import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext, runInThisContext } from "node:vm";
import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { ROOT } from "../repository/support/files.ts";
import { runs } from "../support/soak.ts";
import { newProject, shellCall } from "./support/project.ts";

/** The regular expressions that `tenterhook hook` has built in. */
function builtIn(): typeof RE2JS {
  const exported: { RE2JS?: typeof RE2JS } = {};
  runInThisContext(readFileSync(join(ROOT, "dist/hook-regex.cjs"), "latin1"))(exported);
  const { RE2JS: engine } = exported;
  if (engine === undefined) throw new Error("The built file exports no engine.");
  return engine;
}

/** Does what a faulty table would keep from ever ending. */
function bounded(work: () => void): void {
  runInNewContext("work()", { work }, { timeout: 50_000 });
}

const hot = builtIn();
const fitting = (engine: typeof RE2JS, source: string, text: string) => {
  const compiled = engine.compile(source, engine.CASE_INSENSITIVE);
  return [compiled.test(text), compiled.matcher(text).find()];
};

describe("the packages in the hot path, of which some is put off", () => {
  it("tell the case of ASCII as the package does", () => {
    const ascii = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code));
    const others = Array.from({ length: 0x2_0000 - 0x80 }, (_, at) => String.fromCodePoint(at + 0x80));
    const kin = others.filter((other) => /[a-z]/i.test(other.toLowerCase() + other.toUpperCase()));
    expect(kin).toContain("\u212a");
    bounded(() => {
      for (const one of ascii) {
        const source = `^\\x{${one.charCodeAt(0).toString(16)}}$`;
        for (const other of [...ascii, ...kin])
          expect([one, other, fitting(hot, source, other)]).toEqual([
            one,
            other,
            fitting(RE2JS, source, other),
          ]);
      }
    });
  }, 60_000);

  it("say the same as the package about letters of all kinds, alone and in classes", () => {
    const letter = fc.constantFrom(..."kKsSaAzZéÉßẞΣσςİıǅ😀", "\u017f", "\u212a");
    const part = fc.oneof(
      letter,
      fc.constantFrom("[k-s]", "[^K]", "[A-\u212a]", "\\p{Lu}", "\\p{Ll}", "\\w", "(?-i:k)", "[[:upper:]]"),
    );
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.array(letter, { minLength: 1, maxLength: 4 }),
        (parts, letters) => {
          const [source, text] = [parts.join(""), letters.join("")];
          expect(fitting(hot, source, text)).toEqual(fitting(RE2JS, source, text));
        },
      ),
      { numRuns: runs(2000, 100_000) },
    );
  }, 600_000);

  it("read bytes in a line of the shell", async () => {
    const project = newProject();
    await project.configure([
      {
        name: "bytes",
        type: "inline",
        matcher: { events: ["PreToolUse"] },
        inline_rules: [{ field: "command", operator: "runs", value: "über", action: "deny", reason: "No." }],
      },
    ]);
    const said = async (command: string) => (await project.hook(shellCall(command))).stdout;
    expect([await said("$'\\xc3\\xbcber' alles"), await said("$'\\xc3\\xb6ber' alles")]).toEqual([
      expect.stringContaining("No."),
      "",
    ]);
  }, 60_000);
});
