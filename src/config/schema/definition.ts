import { z } from "zod";
import { COMPOSITIONS } from "../parse/handlers-of.ts";
import { HANDLER_KEYS } from "./handlers.ts";
import { hookSettings } from "./settings.ts";
import { object } from "./values.ts";

/** Stands for a handler inside a composition, which is checked by its own type. */
export const PART = z.unknown();

const parts = z
  .array(PART, { error: "a list of handlers, each with its type" })
  .min(1, { error: "a list of handlers, each with its type" });

/** A definition as a whole, by type. */
export const DEFINITIONS = {
  inline: object({ ...hookSettings, type: z.literal("inline"), ...HANDLER_KEYS.inline }),
  command: object({ ...hookSettings, type: z.literal("command"), ...HANDLER_KEYS.command }),
  http: object({ ...hookSettings, type: z.literal("http"), ...HANDLER_KEYS.http }),
  llm: object({ ...hookSettings, type: z.literal("llm"), ...HANDLER_KEYS.llm }),
  agent: object({ ...hookSettings, type: z.literal("agent"), ...HANDLER_KEYS.agent }),
  mcp: object({ ...hookSettings, type: z.literal("mcp"), ...HANDLER_KEYS.mcp }),
  module: object({ ...hookSettings, type: z.literal("module"), ...HANDLER_KEYS.module }),
  all: object({ ...hookSettings, type: z.literal("all"), all: parts }),
  any: object({ ...hookSettings, type: z.literal("any"), any: parts }),
  first: object({ ...hookSettings, type: z.literal("first"), first: parts }),
} as const;

/** A handler inside a composition, by type. */
export const PARTS = {
  inline: object({ type: z.literal("inline"), ...HANDLER_KEYS.inline }),
  command: object({ type: z.literal("command"), ...HANDLER_KEYS.command }),
  http: object({ type: z.literal("http"), ...HANDLER_KEYS.http }),
  llm: object({ type: z.literal("llm"), ...HANDLER_KEYS.llm }),
  agent: object({ type: z.literal("agent"), ...HANDLER_KEYS.agent }),
  mcp: object({ type: z.literal("mcp"), ...HANDLER_KEYS.mcp }),
  module: object({ type: z.literal("module"), ...HANDLER_KEYS.module }),
  all: object({ type: z.literal("all"), all: parts }),
  any: object({ type: z.literal("any"), any: parts }),
  first: object({ type: z.literal("first"), first: parts }),
} as const satisfies Record<keyof typeof DEFINITIONS, z.ZodType>;

/** The name of a type of definitions. */
export type DefinitionType = keyof typeof DEFINITIONS;

/** A definition of a file that the schema accepts. */
export type Definition = z.infer<(typeof DEFINITIONS)[DefinitionType]>;

/** The type of a composition, when the value is one. */
export function compositionOf(
  value: Readonly<Record<string, unknown>>,
): (typeof COMPOSITIONS)[number] | undefined {
  return COMPOSITIONS.find((key) => value[key] !== undefined);
}
