import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkInput } from "../../../src/node/schema/check-input.ts";
import { runs } from "../../support/long.ts";

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
    [{}, 'The input: Instance does not have required property "file_path".'],
    ["x", 'The input: Instance type "string" is invalid. Expected "object".'],
    [{ file_path: 5 }, 'file_path: Instance type "number" is invalid. Expected "string".'],
    [{ file_path: "" }, "file_path: String is too short (0 < 1)."],
    [{ file_path: "x", limit: 1.5 }, 'limit: Instance type "number" is invalid. Expected "integer".'],
    [{ file_path: "x", limit: "7" }, 'limit: Instance type "string" is invalid. Expected "integer".'],
    [{ file_path: "x", limit: 11 }, "limit: 11 is greater than 10."],
    [{ file_path: "x", mode: "c" }, 'mode: Instance does not match any of ["a","b"].'],
    [{ file_path: "x", tags: [] }, "tags: Array has too few items (0 < 1)."],
    [{ file_path: "x", tags: ["a", 2] }, 'tags[1]: Instance type "number" is invalid. Expected "string".'],
    [{ file_path: "x", note: {} }, 'note: Instance type "object" is invalid. Expected "string", "null".'],
    [
      { path: "x" },
      'The input: Instance does not have required property "file_path". The input: Property "path" does not match additional properties schema.',
    ],
  ])("%j", (input, problem) => {
    expect(checkInput(EDIT, input)).toBe(problem);
  });

  it("follows local references, also to themselves", () => {
    const schema = {
      $defs: {
        node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } },
      },
      properties: { start: { $ref: "#/$defs/node" } },
    };
    expect(checkInput(schema, { start: { next: { next: {} } } })).toBeUndefined();
    expect(checkInput(schema, { start: { next: { next: 1 } } })).toBe(
      'start.next.next: Instance type "number" is invalid. Expected "object".',
    );
  });

  it("says that it can't check a schema that refers to itself and nothing else", () => {
    const schema = { $defs: { loop: { $ref: "#/$defs/loop" } }, $ref: "#/$defs/loop" };
    expect(checkInput(schema, 1)).toBe("The schema of the tool is too complex to be checked.");
  });

  it("refuses nothing that the schema does not say in a way that can be checked", () => {
    expect(checkInput({ $ref: "#/$defs/nothing" }, 1)).toBeUndefined();
    expect(checkInput({ properties: { a: { pattern: "[", type: "string" } } }, { a: "x" })).toBeUndefined();
    expect(checkInput({ type: "string", format: "email" }, "x")).toBeUndefined();
  });

  it("refuses nothing that a keyword it does not know may let pass", () => {
    const patterns = { type: "object", patternProperties: { "^x-": {} }, additionalProperties: false };
    expect(checkInput(patterns, { "x-a": 1 })).toBeUndefined();
    const pair = { type: "array", prefixItems: [{ type: "string" }], items: { type: "number" } };
    expect(checkInput(pair, ["a", 1, 2])).toBeUndefined();
    expect(checkInput(pair, [1, "a"])).toBe(
      '[0]: Instance type "number" is invalid. Expected "string". [1]: Instance type "string" is invalid. Expected "number".',
    );
  });

  it("names fields as they are written", () => {
    const schema = { properties: { "größe / ~x": { type: "string" } } };
    expect(checkInput(schema, { "größe / ~x": 1 })).toBe(
      'größe / ~x: Instance type "number" is invalid. Expected "string".',
    );
  });

  it("says what is wrong with each of several forms", () => {
    const schema = { anyOf: [{ type: "string" }, { type: "object", required: ["a"] }] };
    expect(checkInput(schema, "x")).toBeUndefined();
    expect(checkInput(schema, 1)).toBe(
      `The input: Instance does not match any subschemas. ${["string", "object"].map((type) => `The input: Instance type "number" is invalid. Expected "${type}".`).join(" ")}`,
    );
  });

  it("says five problems and how many more there are", () => {
    const schema = { required: ["a", "b", "c", "d", "e", "f", "g"] };
    const missing = ["a", "b", "c", "d", "e"].map(
      (name) => `The input: Instance does not have required property "${name}".`,
    );
    expect(checkInput(schema, {})).toBe([...missing, "And 2 more."].join(" "));
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
      { numRuns: runs(60) },
    );
  });
});

describe("every keyword that asserts something, in both drafts", () => {
  const cases: readonly (readonly [
    keyword: string,
    schema: Record<string, unknown>,
    values: readonly unknown[],
  ])[] = [
    ["pattern", { pattern: "^a.c$" }, ["abc", "abd", 1]],
    [
      "patternProperties",
      { patternProperties: { "^x": { type: "number" } }, additionalProperties: false },
      [{ x1: 1 }, { x1: "a" }, { y: 1 }],
    ],
    ["propertyNames", { propertyNames: { maxLength: 2 } }, [{ ab: 1 }, { abc: 1 }]],
    ["minProperties", { minProperties: 1, maxProperties: 2 }, [{}, { a: 1 }, { a: 1, b: 1, c: 1 }]],
    ["multipleOf", { multipleOf: 0.5 }, [1.5, 1.3, 7]],
    [
      "uniqueItems",
      { uniqueItems: true },
      [
        [1, 2],
        [1, 1],
        [{ a: 1 }, { a: 1 }],
      ],
    ],
    ["not", { not: { type: "string" } }, ["a", 1]],
    ["oneOf", { oneOf: [{ type: "number" }, { minimum: 2 }] }, [1, 3, "a"]],
    [
      "if",
      JSON.parse(
        '{"if":{"properties":{"a":{"const":1}},"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}',
      ),
      [{ a: 1 }, { a: 1, b: 1 }, { c: 1 }, {}],
    ],
    ["contains", { contains: { type: "number" } }, [[1], ["a"], []]],
    ["const", { const: { a: [1] } }, [{ a: [1] }, { a: [2] }]],
    ["enum with objects", { enum: [{ a: 1, b: 2 }] }, [{ b: 2, a: 1 }, { a: 1 }]],
    ["enum beside const", { enum: [1, 2], const: 2 }, [1, 2]],
  ];
  const of2020: typeof cases = [
    [
      "minContains",
      { contains: { type: "number" }, minContains: 2, maxContains: 3 },
      [[1], [1, 2], [1, 2, 3, 4]],
    ],
    ["minContains 0", { contains: { type: "number" }, minContains: 0 }, [[], ["a"]]],
    ["dependentRequired", { dependentRequired: { a: ["b"] } }, [{ a: 1 }, { a: 1, b: 1 }, {}]],
    ["dependentSchemas", { dependentSchemas: { a: { required: ["b"] } } }, [{ a: 1 }, { a: 1, b: 1 }]],
    [
      "unevaluatedProperties",
      { allOf: [{ properties: { a: {} } }], properties: { b: {} }, unevaluatedProperties: false },
      [{ a: 1, b: 1 }, { c: 1 }],
    ],
    [
      "unevaluatedProperties after anyOf",
      {
        anyOf: [{ properties: { a: { const: 1 } }, required: ["a"] }, { properties: { b: {} } }],
        unevaluatedProperties: false,
      },
      [{ a: 1 }, { b: 1 }, { a: 2 }, { c: 1 }],
    ],
    [
      "unevaluatedItems",
      { prefixItems: [{}], unevaluatedItems: { type: "number" } },
      [
        ["a", 1],
        ["a", "b"],
      ],
    ],
    ["prefixItems", { prefixItems: [{ type: "string" }], items: false }, [["a"], ["a", 1], [1]]],
    [
      "$ref beside others",
      { $defs: { s: { type: "string" } }, $ref: "#/$defs/s", maxLength: 2 },
      ["ab", "abc", 1],
    ],
    ["$anchor", { $defs: { s: { $anchor: "str", type: "string" } }, $ref: "#str" }, ["a", 1]],
    [
      "$id",
      {
        $id: "https://x.example/root",
        $defs: { s: { $id: "item", type: "string" } },
        items: { $ref: "item" },
      },
      [["a"], [1]],
    ],
  ];
  const of7: typeof cases = [
    [
      "dependencies",
      { dependencies: { a: ["b"], c: { required: ["d"] } } },
      [{ a: 1 }, { a: 1, b: 1 }, { c: 1 }, { c: 1, d: 1 }],
    ],
    [
      "items as a list",
      { items: [{ type: "string" }], additionalItems: { type: "number" } },
      [["a", 1], ["a", "b"], [1]],
    ],
    [
      "definitions",
      { definitions: { s: { type: "string" } }, properties: { a: { $ref: "#/definitions/s" } } },
      [{ a: "x" }, { a: 1 }],
    ],
  ];
  const DRAFT_7 = "http://json-schema.org/draft-07/schema#";

  const ajv2020 = new Ajv2020({ strict: false });
  const ajv7 = new Ajv({ strict: false });

  it.each([...cases, ...of2020])("2020-12: %s", (_, schema, values) => {
    for (const value of values)
      expect([value, checkInput(schema, value) === undefined]).toEqual([
        value,
        ajv2020.validate(schema, value),
      ]);
  });

  it.each([...cases, ...of7])("7: %s", (_, schema, values) => {
    const own = { $schema: DRAFT_7, ...schema };
    for (const value of values)
      expect([value, checkInput(own, value) === undefined]).toEqual([value, ajv7.validate(own, value)]);
  });
});
