import { z } from "zod";
import { DEFINITIONS, PART, PARTS } from "./definition.ts";
import { fileSchema } from "./file.ts";

const HANDLER = "#/$defs/handler";

/** The JSON Schema of the format, made from the schema that files are checked with. */
export function makeJsonSchema(): object {
  const definition = z.union([
    DEFINITIONS.inline,
    DEFINITIONS.command,
    DEFINITIONS.http,
    DEFINITIONS.llm.extend({ type: z.enum(["llm", "prompt"]) }),
    DEFINITIONS.agent,
    DEFINITIONS.mcp,
    DEFINITIONS.module,
    DEFINITIONS.all.partial({ type: true }),
    DEFINITIONS.any.partial({ type: true }),
    DEFINITIONS.first.partial({ type: true }),
  ]);
  const handler = z.union([
    PARTS.inline,
    PARTS.command,
    PARTS.http,
    PARTS.llm.extend({ type: z.enum(["llm", "prompt"]) }),
    PARTS.agent,
    PARTS.mcp,
    PARTS.module,
    PARTS.all.partial({ type: true }),
    PARTS.any.partial({ type: true }),
    PARTS.first.partial({ type: true }),
  ]);
  const { $schema: _, ...part } = generated(handler);
  const file = generated(fileSchema(definition));
  return { title: "Tenterhook configuration", ...file, $defs: { ...file.$defs, handler: part } };
}

function generated(schema: z.ZodType) {
  return z.toJSONSchema(schema, {
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === PART) jsonSchema.$ref = HANDLER;
    },
  });
}
