import { type Schema, schemas } from "../../core/base/schemas.ts";
import { PART_SCHEMA } from "../../core/registration/handler-types.ts";
import { type DefinitionTables, definitionSchemas, TABLES } from "./definition.ts";
import { fileSchema } from "./file.ts";

/** Makes the JSON Schema of the format from the tables that files are checked with. */
export function makeJsonSchema(tables: DefinitionTables = TABLES): object {
  const { matcher, definitions, parts } = definitionSchemas(tables);
  const refs = new Map<Schema, string>([
    [matcher, "#/$defs/matcher"],
    [PART_SCHEMA, "#/$defs/handler"],
  ]);
  const oneOf = (byType: Readonly<Record<string, Schema>>): Schema =>
    schemas.either("a hook definition", ...Object.values(byType));
  return {
    title: "Tenterhook configuration",
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...jsonSchemaOf(fileSchema(oneOf(definitions)), refs),
    $defs: {
      matcher: { ...jsonSchemaOf(matcher, new Map()), description: "Which events the hook wants." },
      handler: jsonSchemaOf(oneOf(parts), refs),
    },
  };
}

type Refs = ReadonlyMap<Schema, string>;

function jsonSchemaOf(schema: Schema, refs: Refs): object {
  const ref = refs.get(schema);
  if (ref !== undefined) return { $ref: ref };
  switch (schema.is) {
    case "anything":
      return {};
    case "boolean":
      return { type: "boolean" };
    case "string":
      return { type: "string", ...(schema.pattern === undefined ? {} : { pattern: schema.pattern.source }) };
    case "number":
      return {
        type: schema.whole === true ? "integer" : "number",
        minimum: schema.min,
        exclusiveMinimum: schema.above,
        maximum: schema.max,
      };
    case "word":
      return schema.words.length === 1 ? { const: schema.words[0] } : { enum: schema.words };
    case "list":
      return {
        type: "array",
        items: jsonSchemaOf(schema.of, refs),
        ...(schema.filled === true ? { minItems: 1 } : {}),
      };
    case "map":
      return schema.keys === undefined
        ? { type: "object", additionalProperties: jsonSchemaOf(schema.of, refs) }
        : closed(schema.keys.map((key) => [key, jsonSchemaOf(schema.of, refs)]));
    case "object": {
      const rows = Object.entries(schema.fields);
      const required = rows.flatMap(([key, row]) => (row.required === true ? [key] : []));
      const properties = rows.map(
        ([key, row]) => [key, { ...jsonSchemaOf(row.schema, refs), description: row.docs }] as const,
      );
      return { ...closed(properties), ...(required.length === 0 ? {} : { required }) };
    }
    case "either":
      return { anyOf: schema.of.map((choice) => jsonSchemaOf(choice, refs)) };
    default:
      return schema satisfies never;
  }
}

function closed(properties: readonly (readonly [string, object])[]): object {
  return { type: "object", properties: Object.fromEntries(properties), additionalProperties: false };
}
