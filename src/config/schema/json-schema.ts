import { withoutUndefined } from "../../core/base/json.ts";
import { type Field, type Kind, kinds } from "../../core/base/kinds.ts";
import { PART_KIND } from "../../core/registration/handler-types.ts";
import { type DefinitionTables, definitionKinds, TABLES } from "./definition.ts";
import { fileKind } from "./file.ts";

/** Makes the JSON Schema of the format from the tables that files are checked with. */
export function makeJsonSchema(tables: DefinitionTables = TABLES): object {
  const { matcher, definitions, parts } = definitionKinds(tables);
  const refs = new Map<Kind, string>([
    [matcher, "#/$defs/matcher"],
    [PART_KIND, "#/$defs/handler"],
  ]);
  const oneOf = (byType: Readonly<Record<string, Kind>>): Kind =>
    kinds.either("a hook definition", ...Object.values(byType));
  return {
    title: "Tenterhook configuration",
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...schemaOf(fileKind(oneOf(definitions)), refs),
    $defs: {
      matcher: { ...schemaOf(matcher, new Map()), description: "Which events the hook wants." },
      handler: schemaOf(oneOf(parts), refs),
    },
  };
}

type Refs = ReadonlyMap<Kind, string>;

function schemaOf(kind: Kind, refs: Refs): object {
  const ref = refs.get(kind);
  if (ref !== undefined) return { $ref: ref };
  switch (kind.is) {
    case "anything":
      return {};
    case "boolean":
      return { type: "boolean" };
    case "string":
      return { type: "string", ...(kind.pattern === undefined ? {} : { pattern: kind.pattern.source }) };
    case "number":
      return {
        type: kind.whole === true ? "integer" : "number",
        ...withoutUndefined({ minimum: kind.min, exclusiveMinimum: kind.above, maximum: kind.max }),
      };
    case "word":
      return kind.words.length === 1 ? { const: kind.words[0] } : { enum: kind.words };
    case "list":
      return {
        type: "array",
        items: schemaOf(kind.of, refs),
        ...(kind.filled === true ? { minItems: 1 } : {}),
      };
    case "map":
      return kind.keys === undefined
        ? { type: "object", additionalProperties: schemaOf(kind.of, refs) }
        : closed(kind.keys.map((key) => [key, schemaOf(kind.of, refs)]));
    case "object": {
      const rows = Object.entries(kind.fields);
      const required = rows.flatMap(([key, row]) => (row.required === true ? [key] : []));
      const properties = rows.map(([key, row]) => [key, described(row, refs)] as const);
      return { ...closed(properties), ...(required.length === 0 ? {} : { required }) };
    }
    case "either":
      return { anyOf: kind.of.map((choice) => schemaOf(choice, refs)) };
    default:
      return kind satisfies never;
  }
}

function described({ kind, docs }: Field, refs: Refs): object {
  return { ...schemaOf(kind, refs), description: docs };
}

function closed(properties: readonly (readonly [string, object])[]): object {
  return { type: "object", properties: Object.fromEntries(properties), additionalProperties: false };
}
