import { z } from "zod";
import { count, names, text, textByName, texts } from "./values.ts";

/** What stands in a definition for its handler, by type: one row for each way to decide. */
export const HANDLER_KEYS = {
  inline: {
    inline_rules: z
      .array(z.unknown(), { error: "a list of rules" })
      .describe("Rules as objects { field, operator, value, action, reason }, or as texts.")
      .exactOptional(),
    rules: z
      .string({ error: "a text with one rule a line" })
      .describe("Rules in the one-line language, one a line.")
      .exactOptional(),
    examples: z
      .array(z.unknown(), { error: "a list of { match: … } and { not_match: … }" })
      .describe("Lines or events that the rules must, or must not, decide; checked when the file loads.")
      .exactOptional(),
  },
  command: {
    command: names.describe("A shell line, or a program with its arguments as a list.").exactOptional(),
    args: z
      .array(z.string({ error: "a text" }), { error: "a list of texts" })
      .describe("Arguments; with them the command is run without a shell.")
      .exactOptional(),
    script: text
      .describe("A file run by its first line or its suffix: .sh .py .js .ts .ps1.")
      .exactOptional(),
    env: texts.describe("Variables to hand on that would be withheld: API keys and tokens.").exactOptional(),
    mode: z
      .literal("persistent", { error: '"persistent"' })
      .describe("One long-lived process: one JSON line in, one out.")
      .exactOptional(),
    pool: z
      .number({ error: "a whole number from 1 to 8" })
      .int({ error: "a whole number from 1 to 8" })
      .min(1, { error: "a whole number from 1 to 8" })
      .max(8, { error: "a whole number from 1 to 8" })
      .describe("persistent: how many processes there may be when events come at once. Default 1.")
      .exactOptional(),
  },
  http: {
    url: text.describe("Where the event is posted."),
    headers: textByName.describe("Headers; ${NAME} is a variable named in env.").exactOptional(),
    env: texts.describe("Variables the headers may name.").exactOptional(),
    secret_env: text.describe("The variable with the key that signs the request.").exactOptional(),
    retries: count.describe("Tries after a connection error; never on gates.").exactOptional(),
  },
  llm: {
    prompt: text.describe("A template: {{tool}}, {{args.file_path}}, {{args.content | length}}."),
    model: text.describe("provider/model. Default: models.judge.").exactOptional(),
    base_url: text.describe("Where the model is served, when its provider is none we know.").exactOptional(),
    cache_seconds: count
      .describe("How long a verdict is kept. Default: models.judge_cache_seconds.")
      .exactOptional(),
  },
  agent: {
    prompt: text.describe("What the judge is to find out."),
    model: text.describe("provider/model. Default: models.judge.").exactOptional(),
    base_url: text.describe("Where the model is served, when its provider is none we know.").exactOptional(),
    max_turns: count.describe("Turns it has.").exactOptional(),
  },
  mcp: {
    server: text.describe("A server of mcp_servers or .mcp.json."),
    tool: text.describe("The tool to call."),
    input: z
      .record(z.string(), z.unknown(), { error: "an object" })
      .describe("Its input; ${tool_input.x} is a field of the event.")
      .exactOptional(),
  },
  module: {
    module: text.describe("A file that exports the function."),
  },
} as const;

/** Other names of a type. */
export const TYPE_ALIASES: Readonly<Record<string, keyof typeof HANDLER_KEYS>> = { prompt: "llm" };
