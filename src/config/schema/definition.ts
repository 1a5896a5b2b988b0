import { isRecord } from "../../core/base/json.ts";
import {
  type Fields,
  field,
  issuesIn,
  neededField,
  type ObjectOf,
  type ObjectSchema,
  schemas,
} from "../../core/base/schemas.ts";
import { EVENTS } from "../../core/events/event-table.ts";
import {
  COMPOSITIONS,
  HANDLER_KEYS,
  type HandlerKeys,
  type HandlerTypeName,
  handlerSchema,
  TYPE_ALIASES,
} from "../../core/registration/handler-types.ts";
import { HOOK_SETTINGS } from "../../core/registration/hook.ts";
import { MATCHER_FIELDS } from "../../core/registration/matcher.ts";
import { RULE_ACTIONS } from "../../rules/rule.ts";
import { FOREIGN_EVENTS } from "../../shared/foreign-events.ts";

const EVENT = "the name of an event";
const EVENT_LIST = "an event or a list of events, for example [PreToolUse]";

const OTHER_NAMES = Object.fromEntries(
  Object.entries(FOREIGN_EVENTS).map(([name, ours]) => [
    name,
    `one agent calls ${ours} so. Write ${ours}, which means the same in all agents`,
  ]),
);

/** The name of an event of the table, or of another: `custom:deploy`, `claude:ConfigChange`. */
const event = schemas.either(
  EVENT,
  { ...schemas.word(...Object.keys(EVENTS)), why_not: OTHER_NAMES },
  {
    is: "string",
    pattern: /^[a-z][a-z0-9-]*:\S+$/,
    must: EVENT,
  },
);

const EVENTS_FIELD = {
  events: neededField(
    schemas.either(EVENT_LIST, event, schemas.filled(event, EVENT_LIST)),
    "The events the hook is asked about.",
  ),
};

/** Models read the name of a hook, so that it must not be able to tell them more than a name. */
const hookName = {
  is: "string",
  pattern: /^(?=.*\S)[^\p{Cc}\u2028\u2029]{1,100}$/u,
  must: "one line of 1 to 100 characters that is not blank",
} as const;

const ONLY_IN_FILES = {
  name: neededField(hookName, "Unique in its scope; one line."),
  docs: field(schemas.text, "A line for the reference."),
};

/** The tables that the schemas of definitions are made of. */
export interface DefinitionTables {
  readonly settings: Fields;
  readonly matcher: Fields;
  readonly handlers: Readonly<Record<string, Fields>>;
}

export interface DefinitionSchemas {
  readonly matcher: ObjectSchema;
  /** A definition as a whole, by type. */
  readonly definitions: Readonly<Record<string, ObjectSchema>>;
  /** A handler inside a composition, by type. */
  readonly parts: Readonly<Record<string, ObjectSchema>>;
}

/** Makes the schemas of hooks in a file from the tables of core. */
export function definitionSchemas({ settings, matcher, handlers }: DefinitionTables): DefinitionSchemas {
  const matcherSchema = schemas.object({ ...EVENTS_FIELD, ...matcher });
  const { origin: _, ...others } = settings;
  const shared = {
    ...others,
    ...ONLY_IN_FILES,
    matcher: neededField(matcherSchema, "Which events the hook wants."),
  };
  const byType = (fields: Fields) =>
    Object.fromEntries(
      Object.entries(handlers).map(([type, keys]) => [
        type,
        handlerSchema(type, { ...fields, type: typeField(type), ...keys }),
      ]),
    );
  return { matcher: matcherSchema, definitions: byType(shared), parts: byType({}) };
}

/** A composition may leave its type out. */
function typeField(type: string) {
  const aliases = Object.keys(TYPE_ALIASES).filter((alias) => TYPE_ALIASES[alias] === type);
  const required = !COMPOSITIONS.some((name) => name === type);
  return { ...field(schemas.word(type, ...aliases), "How the hook decides."), required };
}

/** A handler as a file holds it. */
export type WrittenHandler = Readonly<Record<string, unknown>>;

/** The handlers of a definition, each with its path in it: itself, or all handlers inside a composition. */
export function handlersOf(
  handler: WrittenHandler,
  path: readonly (string | number)[] = [],
): readonly (readonly [WrittenHandler, readonly (string | number)[]])[] {
  const key = COMPOSITIONS.find((name) => handler[name] !== undefined);
  const parts = key === undefined ? undefined : handler[key];
  if (key === undefined || !Array.isArray(parts)) return [[handler, path]];
  return parts.filter(isRecord).flatMap((part, index) => handlersOf(part, [...path, key, index]));
}

const { inline } = HANDLER_KEYS;
const actions = Object.keys(RULE_ACTIONS).join(", ");
const written = Object.values(RULE_ACTIONS).map((row) => row.written);

/** The tables of core, with the actions of rules. */
export const TABLES = {
  settings: HOOK_SETTINGS,
  matcher: MATCHER_FIELDS,
  handlers: {
    ...HANDLER_KEYS,
    inline: {
      ...inline,
      inline_rules: { ...inline.inline_rules, docs: `${inline.inline_rules.docs} Actions: ${actions}.` },
      rules: { ...inline.rules, docs: `${inline.rules.docs} Actions: ${written.join(", ")}.` },
    },
  },
};

/** The schemas of hooks in a file, from the tables of core. */
export const SCHEMAS = definitionSchemas(TABLES);

/** The types of hooks that a file can define. */
export type DefinitionType = HandlerTypeName;

type FileMatcher = ObjectOf<typeof EVENTS_FIELD & typeof MATCHER_FIELDS>;
type FileSettings = ObjectOf<Omit<typeof HOOK_SETTINGS, "name" | "origin"> & typeof ONLY_IN_FILES>;

/** A definition of a file that was checked. */
export type Definition = {
  [Type in HandlerTypeName]: FileSettings & {
    readonly type: Type;
    readonly matcher: FileMatcher;
  } & HandlerKeys[Type];
}[HandlerTypeName];

/** True for a definition without anything wrong in it, apart from the parts of a composition. */
export function isDefinition(value: { readonly type: DefinitionType }): value is Definition {
  const schema = SCHEMAS.definitions[value.type];
  return schema !== undefined && issuesIn(value, schema).length === 0;
}
