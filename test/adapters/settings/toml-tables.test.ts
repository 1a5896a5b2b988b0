import fc from "fast-check";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { removeTables, setInTable, tomlTables } from "../../../src/adapters/settings/toml-tables.ts";
import { runs } from "../../support/long.ts";
import { thrown } from "../../support/thrown.ts";

const table = (name: string) => ({ section: "hooks.state", name, key: "trusted_hash" });

/** Lines of a configuration, with what makes editing hard: comments, other tables, texts that look like headers. */
const LINES = [
  'model = "gpt" # the best one',
  '# [hooks.state."a"] is only a comment',
  "",
  '[projects."/home/dev/app"]',
  'trust_level = "trusted"',
  "[hooks]",
  "[[hooks.Stop]]",
  'text = """\n[hooks.state."b"]\n"""',
  '[hooks.state."other"]',
  'trusted_hash = "sha256:0"',
  "enabled = false",
  "  [model_providers.test]",
];

const configuration = fc
  .tuple(fc.subarray(LINES), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([lines, end, closed]) => lines.join(end) + (closed && lines.length > 0 ? end : ""))
  .filter(isToml);

function isToml(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("a table that is put into a configuration", () => {
  it("changes nothing else, and when it is taken out every byte is as before", () => {
    fc.assert(
      fc.property(
        configuration,
        fc.uniqueArray(fc.constantFrom("a", "/p/hooks.json:stop:0:0", 'q"uote', "back\\slash"), {
          minLength: 1,
        }),
        (before, names) => {
          let text = before;
          for (const name of names) text = setInTable(text, table(name), `sha256:${name.length}`);
          const state = tomlTables(text, "hooks.state");
          for (const name of names) expect(state[name]).toEqual({ trusted_hash: `sha256:${name.length}` });
          expect(
            names.reduce((left, name) => setInTable(left, table(name), `sha256:${name.length}`), text),
          ).toBe(text);
          expect(removeTables(text, names.map(table)) ?? "").toBe(before);
          expect(removeTables(text, names.map(table).toReversed()) ?? "").toBe(before);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it("is changed where it is, and its comments stay", () => {
    const before =
      "# mine\n[ hooks . state . 'a' ] # trusted\n# since May\ntrusted_hash = \"old\"\nenabled = true\n\n[next]\n";
    expect(setInTable(before, table("a"), "new")).toBe(before.replace('"old"', '"new"'));
  });

  it("makes a file and goes with it", () => {
    const made = setInTable(undefined, table("a"), "x");
    expect(made).toBe('[hooks.state."a"]\ntrusted_hash = "x"\n');
    expect(removeTables(made, [table("a")])).toBeUndefined();
  });

  it.each([
    ["no TOML", "model = ", "Line 1: Invalid TOML document: unexpected end of input."],
    [
      "the table inside another",
      'hooks = { state = { a = { trusted_hash = "old" } } }\n',
      'The table hooks.state."a" can\'t be changed without changing more.',
    ],
  ])("is refused in a file with %s", (_, text, message) => {
    const [code, problem] = [thrown(() => setInTable(text, table("a"), "new"))].flat();
    expect([
      code,
      typeof problem === "string" && (problem === message || problem.startsWith("Line")),
    ]).toEqual(["settings_unreadable", true]);
  });
});
