import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addToList, removeItems, valueAt } from "../../../src/adapters/settings/json-edit.ts";
import { runs } from "../../support/long.ts";

const OURS = { hooks: [{ type: "command", command: "tenterhook hook", timeout: 60 }] };
const isOurs = (value: unknown): boolean => JSON.stringify(value).includes("tenterhook hook");
const add = (text: string | undefined, events: readonly string[]): string | undefined =>
  events.reduce<string | undefined>((left, event) => addToList(left, ["hooks", event], OURS), text);
const remove = (text: string | undefined): string | undefined =>
  removeItems(
    text,
    Object.entries(asRecord(valueAt(text, ["hooks"]))).flatMap(([event, items]) =>
      asList(items).flatMap((item, at) => (isOurs(item) ? [["hooks", event, at]] : [])),
    ),
  );

describe("a list of a settings file", () => {
  it("is made where there is no file", () => {
    expect(add(undefined, ["Stop"])).toBe(
      `{\n  "hooks": {\n    "Stop": [\n      {\n        "hooks": [\n          {\n            "type": "command",\n            "command": "tenterhook hook",\n            "timeout": 60\n          }\n        ]\n      }\n    ]\n  }\n}\n`,
    );
  });

  it("keeps what is there, comments and line ends included", () => {
    const text = `{\r\n\t// mine\r\n\t"model": "x", /* y */\r\n\t"hooks": {\r\n\t\t"Stop": [{"a": 1},], // end\r\n\t},\r\n}\r\n`;
    const added = add(text, ["Stop", "PreToolUse"]);
    expect(added).toContain('\t// mine\r\n\t"model": "x", /* y */\r\n');
    expect(valueAt(added, ["hooks"])).toEqual({ Stop: [{ a: 1 }, OURS], PreToolUse: [OURS] });
    expect(remove(added)).toBe(text);
  });

  it.each([
    ["no JSON at all", "model: x\n", "Line 1"],
    ["hooks that are a list", '{\n "hooks": []}', "Line 2: hooks is not an object."],
    ["an event that is no list", '{"hooks": {"Stop": {}}}', "Line 1: hooks.Stop is not a list."],
    [
      "hooks that are there twice",
      '{"hooks": {},\n "hooks": {}}',
      'Line 2: "hooks" is there for the second time.',
    ],
    [
      "an event that is there twice",
      '{"hooks": {"Stop": [],\n\n "Stop": []}}',
      'Line 3: "Stop" is there for the second time.',
    ],
  ])("is refused in %s, with the line", (_what, text, message) => {
    expect(() => addToList(text, ["hooks", "Stop"], OURS)).toThrow(message);
  });
});

describe("taking an item out", () => {
  const ours = '{"command": "tenterhook hook"}';
  const inList = (items: string): string => `{\n  "hooks": {\n    "Stop": [${items}]\n  }\n}\n`;

  it.each([
    [
      "keeps the comments behind it",
      `\n      ${ours}, // ours\n      // mine\n      {"a": 1}\n    `,
      `\n       // ours\n      // mine\n      {"a": 1}\n    `,
    ],
    [
      "keeps the comments before it",
      `\n      {"a": 1}, // Anna's\n      // tenterhook, below\n      ${ours}\n    `,
      `\n      {"a": 1} // Anna's\n      // tenterhook, below\n    `,
    ],
    [
      "keeps the comments on both sides",
      `{"a": 1}, // x,\n ${ours} /* y, */, // z\n {"b": 2}`,
      `{"a": 1}, // x,\n  /* y, */ // z\n {"b": 2}`,
    ],
    ["keeps what is in one line", `{"a": 1}, ${ours}, {"b": 2}`, '{"a": 1}, {"b": 2}'],
    ["leaves the first of the others its place", `\n  ${ours},\n  {"a": 1}\n`, '\n  {"a": 1}\n'],
    ["keeps the list that holds a comment", `\n  // mine\n  ${ours}\n`, "\n  // mine\n  \n"],
    ["takes the comma behind the only one", `${ours},`, ""],
  ])("%s", (_what, before, after) => {
    expect(remove(inList(before))).toBe(inList(after));
  });

  it("keeps a file that holds a comment of somebody", () => {
    expect(remove(`// mine\n{\n  "hooks": {\n    "Stop": [\n      ${ours}\n    ]\n  }\n}\n`)).toBe(
      "// mine\n{\n  \n}\n",
    );
  });
});

/** JSON as people write it: any spaces, comments, trailing commas. */
const space = fc.constantFrom("", " ", "\n", "\n  ", "\r\n\t", " /* c, { [ */ ", " // d ] }\n");
const leaf = fc
  .oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
  .map((value) => JSON.stringify(value));
const list = (item: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(fc.tuple(space, item, space), { maxLength: 3 }), fc.boolean(), space)
    .map(([items, comma, last]) => {
      const inner = items.map((parts) => parts.join("")).join(",");
      return `[${inner}${items.length > 0 && comma ? "," : ""}${last}]`;
    });
const object = (members: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<string> =>
  fc
    .tuple(fc.subarray(Object.keys(members)), fc.boolean(), space, space, space)
    .chain(([keys, comma, a, b, c]) =>
      fc.tuple(...keys.map((key) => members[key] ?? leaf)).map((values) => {
        const inner = values
          .map((value, at) => `${a}${JSON.stringify(keys[at])}${b}:${c}${value}${b}`)
          .join(",");
        return `{${inner}${values.length > 0 && comma ? "," : ""}${c}}`;
      }),
    );
const others = list(fc.oneof(leaf, fc.constant('{"hooks":[{"type":"command","command":"other tool"}]}')));
const settings = fc
  .tuple(
    space,
    object({
      model: leaf,
      hooks: object({ PreToolUse: others, Stop: others, Setup: others }),
      permissions: list(leaf),
    }),
    space,
  )
  .map((parts) => parts.join(""));
const file = fc.option(
  fc.oneof({ weight: 9, arbitrary: settings }, { weight: 1, arbitrary: fc.constantFrom("", "\n", "  ") }),
  {
    nil: undefined,
  },
);
const events = fc.subarray(["PreToolUse", "Stop", "SessionStart", "Setup"], { minLength: 1 });

describe("for any settings somebody may have", () => {
  it("putting hooks in and taking them out gives the old bytes back", () => {
    fc.assert(
      fc.property(file, events, (text, names) => {
        expect(remove(add(text, names))).toBe(text);
      }),
      { numRuns: runs(150) },
    );
  });

  it("taking hooks out keeps all else, whatever stands around them", () => {
    const ours = fc.constant(JSON.stringify(OURS));
    const other = fc.integer().map(String);
    const mixed = object({ Stop: list(fc.oneof(ours, other)), Setup: list(fc.oneof(ours, other)) });
    fc.assert(
      fc.property(mixed, space, (hooks, around) => {
        const text = `${around}{"hooks":${hooks}}`;
        const left = remove(text);
        const comments = (written = ""): readonly string[] => written.match(/\/\*.*?\*\/|\/\/.*/g) ?? [];
        expect(comments(left)).toEqual(comments(text));
        const remaining = Object.entries(asRecord(valueAt(text, ["hooks"]))).map(([event, items]) => [
          event,
          asList(items).filter((item) => !isOurs(item)),
        ]);
        const others = (value: unknown): unknown =>
          Object.fromEntries(Object.entries(asRecord(value)).filter(([, items]) => asList(items).length > 0));
        expect(others(valueAt(left, ["hooks"]))).toEqual(others(Object.fromEntries(remaining)));
      }),
      { numRuns: runs(150) },
    );
  });

  it("what others have there stays as it was and in its order", () => {
    fc.assert(
      fc.property(file, events, (text, names) => {
        const before = valueAt(text, ["hooks"]);
        const after = valueAt(add(text, names), ["hooks"]);
        const expected = asRecord(before);
        for (const name of names) expected[name] = [...asList(expected[name]), OURS];
        expect(after).toEqual(expected);
      }),
      { numRuns: runs(150) },
    );
  });
});

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
