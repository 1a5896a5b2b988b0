import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkInput } from "../../../src/node/schema/check-input.ts";
import { runs } from "../../support/soak.ts";

const EDIT = {
  type: "object",
  properties: {
    file_path: { type: "string", minLength: 1 },
    limit: { type: "integer", minimum: 1, maximum: 10 },
    mode: { enum: ["a", "b"] },
    tags: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 2 },
    note: { type: ["string", "null"] },
  },
  required: ["file_path"],
  additionalProperties: false,
};

describe("an input is checked against its schema", () => {
  it.each<[unknown, string | undefined]>([
    [{ file_path: "x", limit: 3, mode: "a", tags: ["t"], note: null }, undefined],
    [{}, "file_path is missing."],
    ["x", 'The input must be object, but is "x".'],
    [{ file_path: 5 }, "file_path must be string, but is 5."],
    [{ file_path: "" }, "file_path must have at least 1 character, but has 0."],
    [{ file_path: "x", limit: 1.5 }, "limit must be integer, but is 1.5."],
    [{ file_path: "x", limit: "7" }, 'limit must be integer, but is "7".'],
    [{ file_path: "x", limit: 11 }, "limit must be at most 10, but is 11."],
    [{ file_path: "x", mode: "c" }, 'mode must be one of "a", "b", but is "c".'],
    [{ file_path: "x", tags: [] }, "tags must have at least 1 item, but has 0."],
    [{ file_path: "x", tags: ["a", 2] }, "tags[1] must be string, but is 2."],
    [{ file_path: "x", note: {} }, "note must be string or null, but is an object."],
    [{ path: "x" }, "file_path is missing. path is no field; there are file_path, limit, mode, tags, note."],
    [{ file_path: ["x"] }, "file_path must be string, but is a list of 1."],
    [{ file_path: "x", limit: "y".repeat(99) }, "limit must be integer, but is a string of 99 characters."],
  ])("%j", (input, problem) => {
    expect(checkInput(EDIT, input)).toBe(problem);
  });

  it("follows local references, also ones in a circle", () => {
    const schema = {
      $defs: {
        node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } },
        loop: { $ref: "#/$defs/loop" },
      },
      properties: { start: { $ref: "#/$defs/node" }, loop: { $ref: "#/$defs/loop" } },
    };
    expect(checkInput(schema, { start: { next: { next: {} } }, loop: 1 })).toBeUndefined();
    expect(checkInput(schema, { start: { next: { next: 1 } } })).toBe(
      "start.next.next must be object, but is 1.",
    );
  });

  it("ends on a schema that doubles itself for ever", () => {
    const schema = {
      anyOf: [{ allOf: [{ $ref: "#" }, { $ref: "#" }] }, { allOf: [{ $ref: "#" }, { $ref: "#" }] }],
    };
    expect(checkInput(schema, 1)).toBeUndefined();
  });

  it("refuses nothing that a keyword it does not know may let pass", () => {
    const patterns = { type: "object", patternProperties: { "^x-": {} }, additionalProperties: false };
    expect(checkInput(patterns, { "x-a": 1 })).toBeUndefined();
    const pair = { type: "array", prefixItems: [{ type: "string" }], items: { type: "number" } };
    expect(checkInput(pair, ["a", 1, 2])).toBeUndefined();
    expect(checkInput(pair, [1, "a"])).toBe('[0] must be string, but is 1. [1] must be number, but is "a".');
  });

  it("names the nearest of several forms", () => {
    const schema = { anyOf: [{ type: "string" }, { type: "object", required: ["a"] }] };
    expect(checkInput(schema, "x")).toBeUndefined();
    expect(checkInput(schema, 1)).toBe(
      "The input fits none of the 2 forms it can have. The input must be string, but is 1.",
    );
  });

  it("says five problems and how many more there are", () => {
    const schema = { required: ["a", "b", "c", "d", "e", "f", "g"] };
    expect(checkInput(schema, {})).toBe(
      "a is missing. b is missing. c is missing. d is missing. e is missing. And 2 more.",
    );
  });
});

describe("the check agrees with a whole validator", () => {
  const leaf = fc.oneof(
    fc.constantFrom("string", "integer", "number", "boolean", "null").map((type) => ({ type })),
    fc.record({ type: fc.constant("integer"), minimum: fc.integer({ min: -2, max: 2 }) }),
    fc.record({ type: fc.constant("string"), maxLength: fc.nat(3) }),
    fc.constant({ enum: [1, "a", null] }),
  );
  const schema = fc.letrec<{ tree: Record<string, unknown> }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.record({ type: fc.constant("array"), items: tie("tree"), maxItems: fc.nat(3) }),
      fc.record({ anyOf: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }) }),
      fc.record({ allOf: fc.array(tie("tree"), { minLength: 1, maxLength: 2 }) }),
      fc.record({
        type: fc.constant("object"),
        properties: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("tree")),
        required: fc.uniqueArray(fc.constantFrom("a", "b")),
        additionalProperties: fc.boolean(),
      }),
    ),
  })).tree;
  const value = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(1, -1, 1.5, "a", "aaaa", "😀😀", true, null),
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b", "c", "d"), tie("tree")),
    ),
  })).tree;

  it("for random schemas and values", () => {
    const ajv = new Ajv({ strict: false });
    fc.assert(
      fc.property(schema, value, (someSchema, someValue) => {
        expect(checkInput(someSchema, someValue) === undefined).toBe(ajv.validate(someSchema, someValue));
      }),
      { numRuns: runs(500, 20_000) },
    );
  });
});
