import { stringList } from "../core/base/check-options.ts";
import { atPlace, TenterhookError } from "../core/base/errors.ts";
import { isRecord } from "../core/base/json.ts";
import { field, kinds } from "../core/base/kinds.ts";
import { didYouMean } from "../core/base/suggest.ts";
import type { DefinitionSite } from "../core/contracts/definition-site.ts";
import type { Hooks } from "../core/hooks.ts";
import { definitionParts } from "../core/registration/definition.ts";
import {
  checkHandler,
  type HandlerKeys,
  type HandlerTypeName,
  handlerTypeOf,
} from "../core/registration/handler-types.ts";
import { HOOK_SETTINGS, type HookSettings } from "../core/registration/hook.ts";
import type { Matcher } from "../core/registration/matcher.ts";
import type { PreparedHook } from "../core/registration/registered-hook.ts";
import type { RulePorts } from "../rules/fields/subject.ts";
import type { Pack } from "../rules/packs/pack.ts";
import { PACKS } from "../rules/packs/packs.ts";
import type { HandlerPorts } from "./handler.ts";
import { makeHandler, unknownType } from "./handler-types.ts";
import { commandCondition, whenCondition } from "./rule-conditions.ts";

type Together<Union> = (Union extends unknown ? (value: Union) => void : never) extends (
  value: infer All,
) => void
  ? All
  : never;

/**
 * A hook as a configuration file holds it: its settings, its matcher, its type and the keys of that type. The reference
 * page of configuration keys explains each.
 */
export interface HookDefinition extends HookSettings, Partial<Together<HandlerKeys[HandlerTypeName]>> {
  readonly name: string;
  /** How it decides: `inline`, `command`, `http`, `llm` (or `prompt`), `agent`, `mcp`, `module`, `all`, `any`, `first`. */
  readonly type: string;
  readonly matcher: Matcher & { readonly events: string | readonly string[] };
  /** What the hook is for, in one line of the reference. */
  readonly docs?: string;
}

/** Prepares a hook with a finished handler for a set, to be added by `hooks.replace`. */
export type Prepare = (hooks: Hooks) => PreparedHook;

const DEFINITION_KEYS = {
  ...HOOK_SETTINGS,
  type: field(kinds.anything, "How it decides."),
  docs: field(kinds.anything, "A line for the reference."),
  matcher: field(kinds.anything, "Which events the hook wants."),
};

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
  const { matcher } = definition;
  const type = handlerTypeOf({ ...definition });
  if (type === undefined) throw unknownType(place, definition.type);
  checkHandler(definition, type, DEFINITION_KEYS, place);
  if (!isRecord(matcher) || matcher.events === undefined) {
    throw new TenterhookError(
      "invalid_definition",
      `${place}: matcher needs events, for example { events: [PreToolUse] }.`,
    );
  }
  const { events, ...fields } = matcher;
  const names = stringList(events, `${place}: events`);
  const handler = await placed(place, () => makeHandler(type, definition, { events: names, site, ports }));
  await placed(place, () => checkConditions(fields, ports.rules));
  const { options } = definitionParts(definition);
  return (hooks) => hooks.prepare(names, options, handler);
}

/**
 * Makes all hooks of a shipped pack ready.
 *
 * @throws TenterhookError `unknown_pack` with the nearest name.
 */
export async function readyPack(
  name: string,
  site: DefinitionSite,
  ports: HandlerPorts,
): Promise<readonly Prepare[]> {
  return Promise.all(
    packNamed(name).definitions.map((definition) => readyDefinition(definition, site, ports)),
  );
}

/** The set loads these in the background; here the caller learns immediately what is wrong. */
async function checkConditions({ when, command_patterns }: Matcher, ports: RulePorts): Promise<void> {
  if (when !== undefined) await whenCondition(when, ports);
  if (command_patterns !== undefined)
    await commandCondition(stringList(command_patterns, "command_patterns"), ports);
}

/** Adds the name of the hook to an error that does not have it. */
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

function packNamed(name: string): Pack {
  const pack = PACKS.get(name);
  if (pack !== undefined) return pack;
  const names = [...PACKS.keys()];
  throw new TenterhookError(
    "unknown_pack",
    `There is no pack ${JSON.stringify(name)}.${didYouMean(name, names)}`,
    {
      hint: `Packs that ship: ${names.join(", ")}.`,
    },
  );
}
