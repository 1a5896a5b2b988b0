import {
  type Fields,
  field,
  neededField,
  type ObjectOf,
  type ObjectSchema,
  requireValid,
  type Schema,
  schemas,
} from "../base/schemas.ts";

/** Stands for a handler inside a composition, which is checked by its own type. */
export const PART_SCHEMA: Schema = { ...schemas.anything, must: "a handler with its type" };

const strings = schemas.list(schemas.string, "a list of strings");
const stringsByName = schemas.map(schemas.string, "an object with a string for each name");
const parts = schemas.filled(PART_SCHEMA, "a list of handlers, each with its type");
const payload = field(
  schemas.word("native", "tenterhook"),
  "What it reads. native: what the agent sent, byte for byte. Default tenterhook: our event.",
);
const written_for = field(
  schemas.word("claude", "codex", "copilot", "cursor", "gemini", "qwen"),
  "With payload: native: the agent that it was written for. Asked by another one, it gets the payload that its own agent would send, and its reply is read as there.",
);
const judge = {
  model: field(schemas.text, "provider/model. Default: models.judge, otherwise haiku."),
  base_url: field(schemas.text, "The address of the model, for a provider we don't know."),
};

/**
 * The one table of handler types and their keys: types, checks, the schema of files and the reference are derived from
 * it. The compiler then asks for what a type runs (`RUNNING_KEYS`) and how it is made: in `handlers/handler-types.ts`, or with
 * `EXTERNAL_MAKERS` when it asks a program and needs neither rules nor models. A type whose parts are handlers belongs
 * in `COMPOSITIONS`.
 */
export const HANDLER_KEYS = {
  inline: {
    inline_rules: field(
      schemas.list(schemas.anything, "a list of rules"),
      "Rules as objects { field, operator, value, action, reason }, or as strings.",
    ),
    rules: field(
      { ...schemas.string, must: "a string with one rule a line" },
      "Rules in the one-line language, one a line.",
    ),
    examples: field(
      schemas.list(schemas.anything, "a list of { match: … } and { not_match: … }"),
      "Lines or events that the rules must, or must not, decide; checked when the file loads.",
    ),
  },
  command: {
    command: field(
      schemas.either(
        "a shell line, or a list of a program and its arguments",
        schemas.text,
        schemas.filled(schemas.string, "a list of a program and its arguments"),
      ),
      "A shell line, or a program with its arguments as a list.",
    ),
    args: field(strings, "Arguments; with them the command runs without a shell."),
    script: field(schemas.text, "A file that is run by its first line or its suffix: .sh .py .js .ts .ps1."),
    env: field(schemas.texts, "Variables to pass on that are withheld otherwise: API keys and tokens."),
    set_env: field(stringsByName, "Variables to set, each with its value."),
    plugin: field(
      schemas.text,
      "A plug-in of Claude Code, name@marketplace: CLAUDE_PLUGIN_ROOT is the folder of the version in force, in arguments too.",
    ),
    payload,
    written_for,
    native_keys: field(
      schemas.word("camelCase"),
      "With payload: native, in GitHub Copilot CLI: what it sends to hooks on events that begin with a small letter.",
    ),
    persistent: field(schemas.boolean, "One long-lived process: one JSON line in, one out."),
    mode: field(
      schemas.word("enforce", "shadow", "persistent"),
      "As for every hook. persistent is another spelling of persistent: true.",
    ),
    pool: field(
      schemas.between(1, 8),
      "persistent: how many processes may run when events come at the same time. Default 1.",
    ),
  },
  http: {
    url: neededField(schemas.text, "The address the event is posted to."),
    headers: field(stringsByName, `Headers; \${NAME} is a variable named in env.`),
    env: field(schemas.texts, "Variables the headers may name."),
    payload,
    written_for,
    secret_env: field(schemas.text, "The variable with the key that signs the request."),
    retries: field(schemas.between(0, 10), "Retries after a connection error; never on gates. Default 2."),
  },
  llm: {
    prompt: neededField(schemas.text, "A template: {{tool}}, {{args.file_path}}, {{args.content | length}}."),
    ...judge,
    cache_seconds: field(
      schemas.amount,
      "How long a verdict is cached; 0: not at all. Default: models.judge_cache_seconds.",
    ),
    effects: field(
      schemas.list(
        schemas.word("deny", "ask", "modify", "context"),
        "a list of deny, ask, modify and context",
      ),
      "What it may do. modify: change the event; context: tell the model something. Default [deny, ask], which always apply.",
    ),
  },
  agent: {
    prompt: neededField(schemas.text, "What the judge is to find out."),
    ...judge,
    max_turns: field(schemas.positive, "How many turns the judge has. Default 10."),
  },
  mcp: {
    server: neededField(schemas.text, "A server of mcp_servers or .mcp.json."),
    tool: neededField(schemas.text, "The tool to call."),
    input: field(
      schemas.map(schemas.anything, "an object"),
      `The input of the tool; \${tool_input.x} is a field of the event.`,
    ),
    payload: field(
      schemas.word("native", "tenterhook"),
      "native: input has fields of what the agent sent, and the answer is read as that agent reads it.",
    ),
    written_for,
  },
  module: {
    module: neededField(schemas.text, "A file of JavaScript or TypeScript that exports the function."),
  },
  all: {
    all: neededField(parts, "Handlers, each with its type; all are asked and what they say is merged."),
  },
  any: {
    any: neededField(parts, "Handlers, each with its type; the hook refuses only when all of them do."),
  },
  first: {
    first: neededField(parts, "Handlers, each with its type; the first that has an opinion decides."),
  },
} as const satisfies Readonly<Record<string, Fields>>;

/** The name of a handler type. */
export type HandlerTypeName = keyof typeof HANDLER_KEYS;

/** What a definition says for its handler, by type. */
export type HandlerKeys = { readonly [Name in HandlerTypeName]: ObjectOf<(typeof HANDLER_KEYS)[Name]> };

/**
 * The keys of each type that name what runs: a file, a command, a server. A project's trust covers these files, which
 * `config/trust/named-files.ts` finds for each key.
 */
const RUNNING_KEYS = {
  inline: [],
  command: ["script", "command"],
  http: [],
  llm: [],
  agent: [],
  mcp: ["server"],
  module: ["module"],
  // Their parts are handlers with a type of their own.
  all: [],
  any: [],
  first: [],
} as const satisfies { readonly [Name in HandlerTypeName]: readonly (keyof HandlerKeys[Name])[] };

export type RunningKey = (typeof RUNNING_KEYS)[HandlerTypeName][number];

/** The types that put handlers together. */
export const COMPOSITIONS = ["all", "any", "first"] as const satisfies readonly HandlerTypeName[];

/** Other names of a type. */
export const TYPE_ALIASES: Readonly<Record<string, HandlerTypeName>> = { prompt: "llm" };

/** Every name a type goes by. */
export const TYPE_NAMES: readonly string[] = [...Object.keys(HANDLER_KEYS), ...Object.keys(TYPE_ALIASES)];

/** The type that a definition or a part of a composition names. A composition may leave its type out. */
export function handlerTypeOf(handler: Readonly<Record<string, unknown>>): HandlerTypeName | undefined {
  const given = handler.type ?? COMPOSITIONS.find((name) => handler[name] !== undefined);
  const type = typeof given === "string" && Object.hasOwn(TYPE_ALIASES, given) ? TYPE_ALIASES[given] : given;
  return isHandlerType(type) ? type : undefined;
}

function isHandlerType(type: unknown): type is HandlerTypeName {
  return typeof type === "string" && Object.hasOwn(HANDLER_KEYS, type);
}

/** True for a command whose process stays for the next event. */
export function isPersistent(command: { readonly mode?: unknown; readonly persistent?: unknown }): boolean {
  return command.persistent === true || command.mode === "persistent";
}

/** An object with the keys of a handler type, and what they need of each other. */
export function handlerSchema(type: string, fields: Fields): ObjectSchema {
  const schema = schemas.object(fields);
  return type === "command" ? { ...schema, one_of: ["command", "script"] } : schema;
}

/**
 * Checks a handler as a definition or a composition holds it, with other keys that may be there.
 *
 * @throws TenterhookError `unknown_option` or `invalid_option`.
 */
export function checkHandler<Name extends HandlerTypeName>(
  handler: unknown,
  type: Name,
  others: Fields,
  place: string,
): asserts handler is HandlerKeys[Name] {
  requireValid(handler, handlerSchema(type, { ...others, ...HANDLER_KEYS[type] }), place);
}
