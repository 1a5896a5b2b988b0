import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editList } from "../../src/config/edit/edits.ts";
import { parseText } from "../../src/config/parse/parse.ts";
import { runs } from "../support/long.ts";
import { thrown } from "../support/thrown.ts";

const disable = (file: string, text: string, name = "new") => editList(file, text, "disabled", name, true);
const enable = (file: string, text: string, name = "old") => editList(file, text, "disabled", name, false);

describe("a name is put on hooks.disabled, and comments and other values stay", () => {
  it.each([
    ["yaml, nothing there", "a.yaml", "", "hooks:\n  disabled: [new]\n"],
    [
      "yaml, a list in lines at an end without a line end",
      "a.yaml",
      "hooks:\n  disabled:\n    - old",
      "hooks:\n  disabled:\n    - old\n    - new\n",
    ],
    [
      "yaml, lines that end as on Windows",
      "a.yaml",
      "hooks:\r\n  disabled:\r\n    - old\r\n  use: [a]\r\n",
      "hooks:\r\n  disabled:\r\n    - old\r\n    - new\r\n  use: [a]\r\n",
    ],
    [
      "yaml, all in brackets",
      "a.yaml",
      "{models: {a:   b},   hooks: {use: [a,   b]}} # x\n",
      "{models: {a: b}, hooks: {use: [a, b], disabled: [new]}} # x\n",
    ],
    ["yaml, empty brackets", "a.yaml", "hooks: {}\n", "hooks: { disabled: [new] }\n"],
    [
      "yaml, brackets without hooks",
      "a.yaml",
      "{sandbox:   {mode: off}}\n",
      "{sandbox: {mode: off}, hooks: {disabled: [new]}}\n",
    ],
    [
      "yaml, a key without a value",
      "a.yaml",
      "hooks:\n  disabled:\n  use: [a,   b]\n",
      "hooks:\n  disabled: [new]\n  use: [a, b]\n",
    ],
    [
      "yaml, hooks without a value",
      "a.yaml",
      "hooks:   # none\nsandbox:   {mode: off}\n",
      "hooks:\n  # none\n  disabled: [new]\nsandbox: {mode: off}\n",
    ],
    [
      "yaml, no hooks",
      "a.yaml",
      "# mine\nsandbox:   {mode: off}",
      "# mine\nsandbox: {mode: off}\nhooks:\n  disabled: [new]\n",
    ],
    [
      "yaml, no list",
      "a.yaml",
      "# mine\nhooks:\n    # first\n    timeout: 5 # s\n",
      "# mine\nhooks:\n    # first\n    timeout: 5 # s\n    disabled: [new]\n",
    ],
    [
      "yaml, an empty list",
      "a.yaml",
      "hooks:\n  disabled: [] # none\n  use: [a,b]\n",
      "hooks:\n  disabled: [new] # none\n  use: [a, b]\n",
    ],
    [
      "yaml, a list in brackets",
      "a.yaml",
      "hooks: { disabled: [ old ], timeout: 5 }\n",
      "hooks: { disabled: [ old, new ], timeout: 5 }\n",
    ],
    [
      "yaml, a list in lines",
      "a.yaml",
      "hooks:\n  disabled:\n  - old # why\n  use: [a]\n",
      "hooks:\n  disabled:\n  - old # why\n  - new\n  use: [a]\n",
    ],
    ["yaml, no end of line", "a.yaml", "hooks:\n  timeout: 5", "hooks:\n  timeout: 5\n  disabled: [new]\n"],
    [
      "json",
      "a.json",
      '{\n    // mine\n    "hooks": { "disabled": ["old"] }\n}\n',
      '{\n    // mine\n    "hooks": {\n        "disabled": [\n            "old",\n            "new"\n        ]\n    }\n}\n',
    ],
    [
      "json, no list",
      "a.json",
      '{\n  "hooks": {\n    "timeout": 5 // s\n  }\n}\n',
      '{\n  "hooks": {\n    "disabled": [\n      "new"\n    ],\n    "timeout": 5 // s\n  }\n}\n',
    ],
    [
      "json without line breaks",
      "a.json",
      '{"hooks":{"timeout":5,"limits":{"turns":1}}}',
      '{"hooks":{"disabled": ["new"],"timeout":5,"limits":{"turns":1}}}',
    ],
    [
      "json, hooks on one line",
      "a.json",
      '{ "hooks": { "timeout": 5 } }\n',
      '{ "hooks": {"disabled": ["new"], "timeout": 5 } }\n',
    ],
    ["json, no hooks", "a.json", '{"sandbox":{}}', '{"hooks": {"disabled":["new"]},"sandbox":{}}'],
    ["json, nothing in it", "a.json", "{}", '{"hooks": {"disabled":["new"]}}'],
    [
      "toml, a dotted key",
      "a.toml",
      '# mine\nhooks.timeout = 3\n[[hooks.definitions]]\nname = "x"\n',
      '# mine\nhooks.timeout = 3\nhooks.disabled = [ "new" ]\n[[hooks.definitions]]\nname = "x"\n',
    ],
    [
      "toml, a table on one line",
      "a.toml",
      "hooks = { timeout = 3 } # x\n",
      'hooks = { timeout = 3, disabled = [ "new" ] } # x\n',
    ],
    ["toml, an empty table on one line", "a.toml", "hooks = {}\n", 'hooks = {disabled = ["new"]}\n'],
    [
      "toml, lines that end as on Windows",
      "a.toml",
      "[hooks]\r\ntimeout = 3\r\n",
      '[hooks]\r\ntimeout = 3\r\ndisabled = [ "new" ]\r\n',
    ],
    [
      "toml, a header inside a text",
      "a.toml",
      'x = """\n[hooks]\n"""\n[[hooks.definitions]]\nname = "x"\n',
      'x = """\n[hooks]\n"""\nhooks.disabled = [ "new" ]\n[[hooks.definitions]]\nname = "x"\n',
    ],
    [
      "toml",
      "a.toml",
      '[hooks] # mine\ndisabled = ["old"] # why\n',
      '[hooks] # mine\ndisabled = ["old", "new"] # why\n',
    ],
    [
      "toml, a list in lines",
      "a.toml",
      '[hooks]\ndisabled = [\n  "a", # one\n  "b", # two\n]\n',
      '[hooks]\ndisabled = [\n  "a", # one\n  "b", # two\n  "new",\n]\n',
    ],
    [
      "toml, no list",
      "a.toml",
      "# mine\n[hooks]\ntimeout = 5\n",
      '# mine\n[hooks]\ntimeout = 5\ndisabled = [ "new" ]\n',
    ],
    [
      "toml, no table of its own",
      "a.toml",
      '[[hooks.definitions]]\nname = "x"\n',
      'hooks.disabled = [ "new" ]\n\n[[hooks.definitions]]\nname = "x"\n',
    ],
    [
      "toml, nothing there",
      "a.toml",
      '[sandbox]\nmode = "off"',
      '[sandbox]\nmode = "off"\n\n[hooks]\ndisabled = [ "new" ]',
    ],
  ])("%s", (_, file, before, after) => {
    expect(disable(file, before)).toBe(after);
    expect(disable(file, after)).toBe(after);
  });
});

describe("a name is taken off hooks.disabled, and comments and other values stay", () => {
  it.each([
    [
      "yaml in brackets",
      "a.yaml",
      "hooks:\n  disabled: [a, old, b] # x\n",
      "hooks:\n  disabled: [a, b] # x\n",
    ],
    ["yaml, the last in brackets", "a.yaml", "hooks:\n  disabled: [a, 'old']\n", "hooks:\n  disabled: [a]\n"],
    ["yaml, the only one", "a.yaml", "hooks:\n  disabled: [old]\n", "hooks:\n  disabled: []\n"],
    [
      "yaml in lines",
      "a.yaml",
      "hooks:\n  disabled:\n    - a # keep\n    - old # gone\n  use: [x]\n",
      "hooks:\n  disabled:\n    - a # keep\n  use: [x]\n",
    ],
    [
      "yaml, the only line",
      "a.yaml",
      "hooks:\n  disabled:\n    - old\n  use: [x]\n",
      "hooks:\n  disabled: []\n  use: [x]\n",
    ],
    ["yaml, twice", "a.yaml", "hooks:\n  disabled: [old, a, old]\n", "hooks:\n  disabled: [a]\n"],
    [
      "json",
      "a.json",
      '{ "hooks": { "disabled": ["old", "b"] } } // x',
      '{ "hooks": { "disabled": ["b"] } } // x',
    ],
    ["toml", "a.toml", "[hooks]\ndisabled = ['a', 'old',]\n", "[hooks]\ndisabled = ['a',]\n"],
    ["toml in a dotted key", "a.toml", 'hooks.disabled = ["old"]\n', "hooks.disabled = []\n"],
    ["toml, one that is not there", "a.toml", "[hooks]\ntimeout = 1\n", "[hooks]\ntimeout = 1\n"],
  ])("%s", (_, file, before, after) => {
    expect(enable(file, before)).toBe(after);
  });
});

it("a list that is written in a way nobody could keep is left alone, with the way out", () => {
  const aliased = "x: &names [old]\nhooks:\n  disabled: *names\n";
  expect(thrown(() => disable("a.yaml", aliased.replace("x:", "models:\n  fallback:")))).toEqual([
    "write_failed",
    expect.stringContaining("can't be changed here"),
  ]);
});

it.each(["a.yaml", "a.json", "a.toml"])(
  "turning off and on again leaves the names of %s as they were",
  (file) => {
    const names = fc.uniqueArray(
      fc.string({ minLength: 1, maxLength: 12 }).filter((name) => name.trim() !== ""),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(names, ([first = "x", ...others]) => {
        let text = file.endsWith("json") ? "{}" : "";
        for (const name of others) text = disable(file, text, name);
        const off = disable(file, text, first);
        const listed = { hooks: { disabled: [...others, first] } };
        expect(parseText(file, off).value).toEqual(listed);
        expect(parseText(file, enable(file, off, first)).value).toEqual(
          others.length === 0 ? { hooks: { disabled: [] } } : { hooks: { disabled: others } },
        );
      }),
      { numRuns: runs(60) },
    );
  },
);
