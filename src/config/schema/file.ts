import { z } from "zod";
import { DEFAULT_LIMITS, type Limits } from "../../core/registration/limits.ts";
import { SECTIONS } from "./sections.ts";
import { amount, object, seconds, text, texts } from "./values.ts";

const limits = object({
  stop_continuations: amount.describe("How often Stop hooks may keep one turn going.").exactOptional(),
  hook_turns: amount.describe("Turns started by hooks since the user's last prompt.").exactOptional(),
  turn_seconds: amount.describe("After this long a turn is no longer continued by hooks.").exactOptional(),
  turn_tokens: amount
    .describe("After this many tokens a turn is no longer continued by hooks.")
    .exactOptional(),
  same_stop_reason: amount
    .describe("The same Stop reason this often in a row is no progress.")
    .exactOptional(),
  error_retries: amount.describe("How often Error hooks may have something tried again.").exactOptional(),
  context_characters: amount.describe("The longest context item; the rest goes to a file.").exactOptional(),
} satisfies Record<keyof Limits, z.ZodType>);

/** The whole format, for definitions that are checked by this schema. */
export function fileSchema<Item extends z.ZodType>(definition: Item) {
  return object({
    $schema: z
      .string({ error: "a text" })
      .describe("The address of the schema, for editors.")
      .exactOptional(),
    hooks: object({
      timeout: seconds
        .describe("Seconds each hook has when it does not say itself. Default 30.")
        .exactOptional(),
      disabled: texts.describe("Hooks that are off, by name.").exactOptional(),
      llm_model: text.describe("Another spelling of models.judge.").exactOptional(),
      limits: limits
        .describe(`Ceilings on what hooks can make an agent do. Defaults: ${defaults()}.`)
        .exactOptional(),
      use: texts.describe("Shipped packs, other files, installed packages.").exactOptional(),
      definitions: z
        .array(definition, { error: "a list of hook definitions" })
        .describe("The hooks.")
        .exactOptional(),
    })
      .describe("Hooks, and what goes for all of them.")
      .exactOptional(),
    ...SECTIONS,
  });
}

function defaults(): string {
  return Object.entries(DEFAULT_LIMITS)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}

/** The format with definitions left for later, since each is checked by its own type. */
export const FILE = fileSchema(z.unknown());

/** A file that the schema accepts, its definitions unread. */
export type FileContent = z.infer<typeof FILE>;
