import { describe, expect, expectTypeOf, it } from "vitest";
import { configPage } from "../../scripts/docs/config-page.mjs";
import { limitsPage, optionsPage } from "../../scripts/docs/options-page.mjs";
import { definitionSchemas, TABLES } from "../../src/config/schema/definition.ts";
import { makeJsonSchema } from "../../src/config/schema/json-schema.ts";
import {
  checkValue,
  field,
  issuesIn,
  neededField,
  type ObjectOf,
  schemas,
} from "../../src/core/base/schemas.ts";
import { row } from "../../src/core/events/event-row.ts";
import { EVENTS } from "../../src/core/events/event-table.ts";
import type { HandlerKeys } from "../../src/core/registration/handler-types.ts";
import type { HookSettings } from "../../src/core/registration/hook.ts";
import { LIMITS, type Limits } from "../../src/core/registration/limits.ts";
import type { Matcher } from "../../src/core/registration/matcher.ts";

const rows = <T>(items: readonly T[], cells: (item: T) => readonly string[]): string =>
  items.map((item) => `| ${cells(item).join(" | ")} |\n`).join("");

const PLANTED = { planted: field(schemas.count, "A planted key.") };

/** The keys of all tables, each with what it may be. */
const FILE_ROWS = [
  ...Object.entries(TABLES.settings).filter(([key]) => key !== "origin"),
  ...Object.entries(TABLES.matcher),
  ...Object.values(TABLES.handlers).flatMap((keys) => Object.entries(keys)),
];

describe("a row planted in the table of", () => {
  it.each<[table: string, tables: Parameters<typeof definitionSchemas>[0], path: readonly string[]]>([
    ["hook settings", { ...TABLES, settings: { ...TABLES.settings, ...PLANTED } }, []],
    ["matcher fields", { ...TABLES, matcher: { ...TABLES.matcher, ...PLANTED } }, ["matcher"]],
    [
      "handler keys",
      { ...TABLES, handlers: { ...TABLES.handlers, module: { ...TABLES.handlers.module, ...PLANTED } } },
      [],
    ],
  ])("%s is in the check, the schema and the reference", (_, tables, path) => {
    const hook = definitionSchemas(tables).definitions.module ?? schemas.anything;
    const definition = (planted: unknown) => ({
      name: "x",
      type: "module",
      module: "a.js",
      matcher: { events: "Stop", ...(path.length > 0 ? { planted } : {}) },
      ...(path.length > 0 ? {} : { planted }),
    });
    expect(issuesIn(definition(1), hook)).toEqual([]);
    expect(issuesIn(definition("1"), hook)).toEqual([
      { path: [...path, "planted"], text: 'is "1"; it must be a whole number of 0 or more.' },
    ]);
    const schema = makeJsonSchema(tables);
    expect(JSON.stringify(schema)).toContain(
      '"planted":{"type":"integer","minimum":0,"description":"A planted key."}',
    );
    expect(configPage(schema, rows)).toContain("| `planted`? | whole number | A planted key. |");
  });

  it("hook settings is in the page of hook options", () => {
    const page = optionsPage({ settings: { ...TABLES.settings, ...PLANTED }, matcher: PLANTED }, rows);
    expect(page.match(/\| `planted` \| `number` \| A planted key\. \|/g)).toHaveLength(2);
  });

  it("any keys is in the type", () => {
    expectTypeOf<ObjectOf<typeof PLANTED>>().toEqualTypeOf<{ readonly planted?: number }>();
  });
});

describe("an event", () => {
  it("requires of a caller what its table of fields needs", () => {
    const { requires } = row(
      {
        target: neededField(schemas.word("here", "there"), ""),
        steps: field(schemas.count, ""),
        plan: neededField(schemas.anything, ""),
      },
      { summary: "Planted." },
    );
    expect(requires).toEqual({ target: "text", plan: "anything" });
    expect(EVENTS.PreToolUse.requires).toEqual({ tool_name: "text", tool_input: "object" });
    expect(EVENTS.PostToolBatch.requires).toEqual({ tool_calls: "list" });
  });
});

describe("every row of the tables", () => {
  it.each(FILE_ROWS)("%s is in the schema and in the reference", (key, { docs }) => {
    const schema = makeJsonSchema();
    expect(JSON.stringify(schema)).toContain(JSON.stringify(`${key}`));
    expect(JSON.stringify(schema)).toContain(key === "name" ? '"name":' : JSON.stringify(docs));
    expect(configPage(schema, rows)).toContain(`| \`${key}\``);
  });

  it.each(Object.keys(LIMITS))("%s of the limits is in the schema, the check and the reference", (name) => {
    expect(JSON.stringify(makeJsonSchema())).toContain(`"${name}":`);
    expect(limitsPage(LIMITS, rows)).toContain(`| \`${name}\` |`);
    expect(() => checkValue({ [name]: -1 }, schemas.object(LIMITS), "limits")).toThrow(
      `limits: ${name} is -1; it must be a number of 0 or more.`,
    );
  });

  it("is in the types that users import", () => {
    expectTypeOf<keyof HookSettings>().toEqualTypeOf<keyof typeof TABLES.settings>();
    expectTypeOf<keyof Matcher>().toEqualTypeOf<keyof typeof TABLES.matcher>();
    expectTypeOf<keyof HandlerKeys>().toEqualTypeOf<keyof typeof TABLES.handlers>();
    expectTypeOf<keyof Limits>().toEqualTypeOf<keyof typeof LIMITS>();
    expectTypeOf<HookSettings["on_failure"]>().toExtend<string | object | undefined>();
    expectTypeOf<HandlerKeys["http"]["url"]>().toEqualTypeOf<string>();
    expectTypeOf<HandlerKeys["command"]["mode"]>().toEqualTypeOf<
      "enforce" | "shadow" | "persistent" | undefined
    >();
  });
});
