import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { stringify as stringifyToml } from "smol-toml";
import { ConfigError } from "tenterhook/config";
import { describe, expect, it } from "vitest";
import { stringify as stringifyYaml } from "yaml";
import { ROOT } from "../repository/support/files.ts";
import { anyText } from "../support/any-text.ts";
import { rulesHook } from "../support/hook-definitions.ts";
import { runs } from "../support/long.ts";
import { type Project, project } from "./support/project.ts";

const WRITERS = {
  yaml: (value: object) => stringifyYaml(value),
  json: (value: object) => JSON.stringify(value, null, 2),
  toml: (value: object) => stringifyToml(value),
};
/** What the first line of a definition looks like. */
const FIRST_LINES = { yaml: /^\s*- name:/, json: /^\s*\{$/, toml: /^\[\[hooks\.definitions\]\]$/ };
const FORMATS = ["yaml", "json", "toml"] as const;

/** Loads a text; anything but a configuration or a ConfigError with a place in the file is a crash. */
async function survives(files: Project, suffix: string, text: string | Uint8Array): Promise<void> {
  const file = files.write(`hooks.${suffix}`, text);
  try {
    await files.load();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) {
      expect(problem.file).toBe(file);
      expect(problem.message).toMatch(/\S/);
    }
  }
}

const WORDS = fc.constantFrom(
  ..."hooks definitions name type matcher events inline rules use disabled PreToolUse limits all command".split(
    " ",
  ),
);
const structure = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    WORDS,
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.array(tie("value"), { maxLength: 4 }),
    tie("object"),
  ),
  object: fc.dictionary(
    fc.oneof({ weight: 3, arbitrary: WORDS }, { weight: 1, arbitrary: fc.string() }),
    tie("value"),
    {
      maxKeys: 5,
    },
  ),
})).object;

const edit = fc.record({
  at: fc.nat(),
  remove: fc.nat({ max: 30 }),
  insert: fc.oneof(
    fc.string({ maxLength: 5 }),
    fc.constantFrom("[", "{", "&a ", "*a", "!x ", '"""', "\n", "\t", "- ", "? "),
  ),
});

/** What may be a name: one line that is not blank. */
const NAME = /^(?=.*\S)[^\p{Cc}\u2028\u2029]{1,100}$/u;
const name = fc.oneof(
  fc.stringMatching(/^[a-z][a-z-]{0,12}$/),
  fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => NAME.test(text)),
  fc.constantFrom(
    "no",
    "1",
    "null",
    "~",
    "true",
    "a: b",
    "- x",
    "# y",
    "é",
    "'",
    '"',
    "__proto__",
    "constructor",
  ),
);

describe.each(FORMATS)("in %s", (suffix) => {
  const example = readFileSync(join(ROOT, `test/fixtures/config/spec/hooks.${suffix}`), "utf8");

  it("random bytes never crash", async () => {
    const files = project();
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 200 }), anyText({ maxLength: 200 }));
    await fc.assert(
      fc.asyncProperty(bytes, (text) => survives(files, suffix, text)),
      { numRuns: runs(12) },
    );
  });

  it("random structures never crash", async () => {
    const files = project();
    const written = structure.map((value) => WRITERS[suffix](Object(value)));
    await fc.assert(
      fc.asyncProperty(written, (text) => survives(files, suffix, text)),
      { numRuns: runs(12) },
    );
  });

  it("a valid file that was changed never crashes", async () => {
    const files = project();
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        let text = example;
        for (const { at, remove, insert } of edits) {
          const start = at % (text.length + 1);
          text = text.slice(0, start) + insert + text.slice(start + remove);
        }
        await survives(files, suffix, text);
      }),
      { numRuns: runs(8) },
    );
  });

  it("no hook is silently missing: the names that load are those that were written, each with its line", async () => {
    const files = project();
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(name, { maxLength: 8 }), async (names) => {
        const definitions = names.map((hook) => rulesHook(hook, "command exists -> deny()"));
        const text = WRITERS[suffix]({ hooks: { definitions } });
        files.write(`hooks.${suffix}`, text);
        const loaded = (await files.load()).definitions;
        expect(loaded.map((hook) => hook.name)).toEqual(names);
        const lines = text.split("\n");
        for (const { origin } of loaded) expect(lines[origin.line - 1]).toMatch(FIRST_LINES[suffix]);
        expect(new Set(loaded.map(({ origin }) => origin.line)).size).toBe(names.length);
      }),
      { numRuns: runs(8) },
    );
  });
});
