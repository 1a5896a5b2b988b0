import { checkKeys, stringList } from "../core/base/check-options.ts";
import { atPlace, TenterhookError } from "../core/base/errors.ts";
import { isRecord } from "../core/base/json.ts";
import { didYouMean } from "../core/base/suggest.ts";
import type { DefinitionSite } from "../core/contracts/definition-site.ts";
import type { Hooks } from "../core/hooks.ts";
import { definitionParts } from "../core/registration/definition.ts";
import type { HookSettings } from "../core/registration/hook.ts";
import type { Matcher } from "../core/registration/matcher.ts";
import { type PreparedHook, SETTING_NAMES } from "../core/registration/registered-hook.ts";
import type { RulePorts } from "../rules/fields/subject.ts";
import { HANDLER_TYPES, type HandlerPorts, handlerType } from "./handler-types.ts";
import { commandCondition, whenCondition } from "./rule-conditions.ts";

/** A hook as a configuration file holds it. */
export interface HookDefinition extends HookSettings {
  readonly name: string;
  /** How it decides: `inline`, `command`, `http`, `llm` (or `prompt`), `mcp`, `module`, or `all`, `any` and `first` of several. */
  readonly type: string;
  readonly matcher: Matcher & { readonly events: string | readonly string[] };
  /** Inline: rules as a list of objects. */
  readonly inline_rules?: unknown;
  /** Inline: rules in the one-line language. */
  readonly rules?: string;
  /** Inline: lines or events that the rules must, or must not, decide; checked when the hook is added. */
  readonly examples?: unknown;
  /** Llm: what the judge is to decide, a template with `{{path | filter}}`. */
  readonly prompt?: string;
  /** Llm: `provider/model`. Default: the judge of the configuration. */
  readonly model?: string;
  /** Llm: where the model is served, when its provider is none we know. */
  readonly base_url?: string;
  /** Llm: how long a verdict is kept; 0: not at all. Default 300. */
  readonly cache_seconds?: number;
  /** Command: a line for the shell, or a program and its arguments as a list. */
  readonly command?: string | readonly string[];
  /** Command: arguments; with them the command is run without a shell. */
  readonly args?: readonly string[];
  /** Command: a file run by its first line or its suffix: .sh .py .js .ts .ps1. */
  readonly script?: string;
  /** Command: variables to hand on that would be withheld: API keys and tokens. Http: variables that headers may name. */
  readonly env?: readonly string[];
  /** Command: `persistent` is one long-lived process, one JSON line in, one out. */
  readonly mode?: string;
  /** Persistent: how many processes there may be when events come at once. Default 1. */
  readonly pool?: number;
  /** Http: where the event is posted. */
  readonly url?: string;
  /** Http: headers; `${NAME}` is a variable that `env` lists. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Http: the variable with the key that signs each request. */
  readonly secret_env?: string;
  /** Http: tries after a connection error, by default 2, at most 10; never on gates. */
  readonly retries?: number;
  /** Module: a file of JavaScript or TypeScript that exports the function. */
  readonly module?: string;
  /** All: handlers, each with its type; every one is asked and what they say is merged. */
  readonly all?: readonly unknown[];
  /** Any: handlers, each with its type; the hook refuses only when every one does. */
  readonly any?: readonly unknown[];
  /** First: handlers, each with its type; the first that has an opinion counts. */
  readonly first?: readonly unknown[];
  /** MCP: a server of `mcp_servers` or `.mcp.json`. */
  readonly server?: string;
  /** MCP: the tool to call. */
  readonly tool?: string;
  /** MCP: its input; `${tool_input.x}` is a field of the event. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** What the hook is for, in one line of the reference. */
  readonly docs?: string;
}

/** Gives a hook set a hook whose handler was made ready, to be added by `hooks.replace`. */
export type Prepare = (hooks: Hooks) => PreparedHook;

/**
 * Makes a hook ready as a configuration file holds it.
 *
 * @throws TenterhookError that names the hook and what is wrong with it.
 */
export async function readyDefinition(
  definition: HookDefinition,
  site: DefinitionSite,
  ports: HandlerPorts,
): Promise<Prepare> {
  const place = placeOf(definition);
  const { type, matcher, docs, ...rest } = definition;
  const row = handlerType(type);
  if (row === undefined) {
    const types = [...HANDLER_TYPES.keys()];
    throw new TenterhookError(
      "invalid_definition",
      `${place}: there is no type ${JSON.stringify(type)}.${didYouMean(String(type), types)}`,
      { hint: `Known types: ${types.join(", ")}.` },
    );
  }
  checkKeys(definition, ["type", "docs", ...SETTING_NAMES, ...row.keys], place);
  if (!isRecord(matcher) || matcher.events === undefined) {
    throw new TenterhookError(
      "invalid_definition",
      `${place}: matcher needs events, for example { events: [PreToolUse] }.`,
    );
  }
  const { events, ...fields } = matcher;
  const names = stringList(events, `${place}: events`);
  const handler = await placed(place, () => row.make(rest, { events: names, site, ports }));
  await placed(place, () => checkConditions(fields, ports.rules));
  const { options } = definitionParts(definition);
  return (hooks) => hooks.prepare(names, options, handler);
}

/** The set loads these by and by; here whoever adds the hook hears at once what is wrong. */
async function checkConditions({ when, command_patterns }: Matcher, ports: RulePorts): Promise<void> {
  if (when !== undefined) await whenCondition(when, ports);
  if (command_patterns !== undefined)
    await commandCondition(stringList(command_patterns, "command_patterns"), ports);
}

/** Says of an error which hook it is about, where it does not say so itself. */
async function placed<T>(place: string, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw error instanceof TenterhookError && !namesHook(error, place) ? atPlace(error, place) : error;
  }
}

function namesHook({ message, hint }: TenterhookError, place: string): boolean {
  const name = place.slice("Hook ".length);
  return message.includes(name) || hint.includes(name);
}

function placeOf(definition: unknown): string {
  if (!isRecord(definition))
    throw new TenterhookError("invalid_definition", "A hook definition must be an object.");
  if (typeof definition.name !== "string" || definition.name.trim() === "") {
    throw new TenterhookError("invalid_definition", "A hook definition needs a name.");
  }
  return `Hook ${JSON.stringify(definition.name)}`;
}
