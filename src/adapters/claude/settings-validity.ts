import { isRecord } from "../../core/base/json.ts";
import type { SettingsPath } from "../settings/json-edit.ts";

/*
 * Claude Code ignores a whole settings file, our hooks included, when one setting has the wrong type; without a
 * terminal it says so only in its log. On most events it skips single hooks that it can't load; on the two events that
 * guard calls such a hook makes it ignore the file. All of this was seen in the program itself.
 */

/** A setting that makes Claude Code ignore the file. */
export interface WrongSetting {
  readonly path: SettingsPath;
  /** Follows "must be". */
  readonly must_be: string;
}

/** What a setting must be, in words, and the check. */
interface Kind {
  readonly words: string;
  readonly is: (value: unknown) => boolean;
}

const isText = (value: unknown): value is string => typeof value === "string";

const TEXT: Kind = { words: "a string", is: isText };
const FLAG: Kind = { words: "true or false", is: (value) => typeof value === "boolean" };
const LIST: Kind = { words: "a list", is: Array.isArray };
const OBJECT: Kind = { words: "an object", is: isRecord };
const URL_TEXT: Kind = { words: "a URL", is: (value) => isText(value) && URL.canParse(value) };
const SECONDS: Kind = { words: "a number above 0", is: (value) => typeof value === "number" && value > 0 };
const TEXTS: Kind = {
  words: "a list of strings",
  is: (value) => Array.isArray(value) && value.every(isText),
};
const NAMED_TEXTS: Kind = {
  words: "an object of strings",
  is: (value) => isRecord(value) && Object.values(value).every(isText),
};

const oneOf = (...values: readonly unknown[]): Kind => ({
  words: `one of ${values.join(", ")}`,
  is: (value) => values.includes(value),
});

/** Required and optional settings. */
interface Shape {
  readonly needs?: Readonly<Record<string, Kind>>;
  readonly may: Readonly<Record<string, Kind>>;
}

const ANY_HANDLER = { if: TEXT, timeout: SECONDS, statusMessage: TEXT, once: FLAG };
const ON_FAILURE = oneOf("continue", "block");

const HANDLERS: ReadonlyMap<unknown, Shape> = new Map<unknown, Shape>([
  [
    "command",
    {
      needs: { command: TEXT },
      may: {
        ...ANY_HANDLER,
        args: TEXTS,
        shell: oneOf("bash", "powershell"),
        onFailure: ON_FAILURE,
        async: FLAG,
        asyncRewake: FLAG,
        rewakeMessage: TEXT,
      },
    },
  ],
  [
    "http",
    {
      needs: { url: URL_TEXT },
      may: { ...ANY_HANDLER, headers: NAMED_TEXTS, allowedEnvVars: TEXTS, onFailure: ON_FAILURE },
    },
  ],
  ["prompt", { needs: { prompt: TEXT }, may: { ...ANY_HANDLER, model: TEXT } }],
  ["agent", { needs: { prompt: TEXT }, may: { ...ANY_HANDLER, model: TEXT } }],
  ["mcp_tool", { needs: { server: TEXT, tool: TEXT }, may: { ...ANY_HANDLER, input: OBJECT } }],
]);

const TYPE = oneOf(...HANDLERS.keys());

/** The events on which a hook that can't be loaded makes Claude Code ignore the file. */
const GUARDS = ["PreToolUse", "PermissionRequest"];

/** Common settings besides hooks; there are many more. */
const OTHERS: Readonly<Record<string, Kind>> = {
  hooks: OBJECT,
  disableAllHooks: FLAG,
  model: TEXT,
  permissions: OBJECT,
};

const PERMISSIONS: Readonly<Record<string, Kind>> = {
  allow: LIST,
  deny: LIST,
  ask: LIST,
  defaultMode: oneOf("acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"),
};

/** The first setting that makes Claude Code ignore the file. Unknown settings are accepted. */
export function wrongSetting(settings: unknown): WrongSetting | undefined {
  if (!isRecord(settings)) return undefined;
  const { hooks, permissions } = settings;
  return (
    wrongIn(settings, [], { may: OTHERS }) ??
    wrongIn(permissions, ["permissions"], { may: PERMISSIONS }) ??
    first(GUARDS, (event) => wrongGroups(hooks, event))
  );
}

function wrongGroups(hooks: unknown, event: string): WrongSetting | undefined {
  const groups = isRecord(hooks) ? hooks[event] : undefined;
  const path = ["hooks", event];
  if (groups === undefined) return undefined;
  if (!Array.isArray(groups)) return { path, must_be: LIST.words };
  return first([...groups.entries()], ([at, group]) => wrongGroup(group, [...path, at]));
}

function wrongGroup(group: unknown, path: SettingsPath): WrongSetting | undefined {
  if (!isRecord(group)) return { path, must_be: OBJECT.words };
  const handlers: readonly unknown[] = Array.isArray(group.hooks) ? group.hooks : [];
  return (
    wrongIn(group, path, { needs: { hooks: LIST }, may: { matcher: TEXT } }) ??
    first([...handlers.entries()], ([at, handler]) => wrongHandler(handler, [...path, "hooks", at]))
  );
}

/** Why Claude Code can't load a handler. */
export function wrongHandler(handler: unknown, path: SettingsPath): WrongSetting | undefined {
  if (!isRecord(handler)) return { path, must_be: OBJECT.words };
  const shape = HANDLERS.get(handler.type);
  return shape === undefined
    ? { path: [...path, "type"], must_be: TYPE.words }
    : wrongIn(handler, path, shape);
}

function wrongIn(value: unknown, path: SettingsPath, { needs = {}, may }: Shape): WrongSetting | undefined {
  if (!isRecord(value)) return undefined;
  return first(Object.entries({ ...needs, ...may }), ([key, { is, words }]) => {
    const isThere = Object.hasOwn(value, key);
    const isWrong = isThere ? !is(value[key]) : Object.hasOwn(needs, key);
    return isWrong ? { path: [...path, key], must_be: words } : undefined;
  });
}

function first<T>(
  items: readonly T[],
  wrong: (item: T) => WrongSetting | undefined,
): WrongSetting | undefined {
  for (const item of items) {
    const found = wrong(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
