import { stringList } from "../core/base/check-options.ts";
import { atPlace, isTenterhookError, TenterhookError } from "../core/base/errors.ts";
import { isRecord } from "../core/base/json.ts";
import { field, schemas } from "../core/base/schemas.ts";
import { didYouMean } from "../core/base/suggest.ts";
import type { DefinitionSite } from "../core/contracts/definition-site.ts";
import type { HookInternals } from "../core/internals.ts";
import type { Handler } from "../core/ports.ts";
import {
  checkHandler,
  HANDLER_KEYS,
  type HandlerTypeName,
  handlerTypeOf,
  TYPE_NAMES,
} from "../core/registration/handler-types.ts";
import { HOOK_SETTINGS } from "../core/registration/hook.ts";
import type { WrittenDefinition } from "../core/registration/hook-definition.ts";
import type { Matcher } from "../core/registration/matcher.ts";
import { definitionParts } from "../core/registration/prepare-hook.ts";
import type { PreparedHook } from "../core/registration/registered-hook.ts";
import type { RulePorts } from "../rules/fields/judged-event.ts";
import type { HandlerContext, HandlerPorts, HandlerSettings } from "./handler.ts";

/** Prepares a hook with a finished handler for a set, to be added by `replace`. */
export type Prepare = (set: Pick<HookInternals, "prepare">) => PreparedHook;

/** Makes the handler of a definition that was checked. */
export type MakeHandler = <Name extends HandlerTypeName>(
  type: Name,
  settings: HandlerSettings<Name>,
  context: HandlerContext,
) => Promise<Handler>;

const DEFINITION_KEYS = {
  ...HOOK_SETTINGS,
  type: field(schemas.anything, "How it decides."),
  docs: field(schemas.anything, "A line for the reference."),
  matcher: field(schemas.anything, "Which events the hook wants."),
};

/**
 * Makes a hook ready as a configuration file holds it.
 *
 * @throws TenterhookError that names the hook and what is wrong with it.
 */
export async function readyHook(
  definition: WrittenDefinition,
  site: DefinitionSite,
  ports: HandlerPorts,
  make: MakeHandler,
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
  const handler = await placed(place, () => make(type, definition, { events: names, site, ports }));
  await placed(place, () => checkConditions(fields, ports.rules));
  const { options } = definitionParts(definition);
  return (set) => set.prepare(names, options, handler);
}

export function unknownType(place: string, type: unknown): TenterhookError {
  return new TenterhookError(
    "invalid_definition",
    `${place}: there is no type ${JSON.stringify(type)}.${didYouMean(String(type), TYPE_NAMES)}`,
    { hint: `Known types: ${Object.keys(HANDLER_KEYS).join(", ")}.` },
  );
}

/** The set loads these in the background; here the caller learns immediately what is wrong. */
async function checkConditions({ when, command_patterns }: Matcher, ports: RulePorts): Promise<void> {
  if (when === undefined && command_patterns === undefined) return;
  const { whenCondition, commandCondition } = await import("./rule-conditions.ts");
  if (when !== undefined) await whenCondition(when, ports);
  if (command_patterns !== undefined)
    await commandCondition(stringList(command_patterns, "command_patterns"), ports);
}

/** Adds the name of the hook to an error that does not have it. */
async function placed<T>(place: string, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw isTenterhookError(error) && !namesHook(error, place) ? atPlace(error, place) : error;
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
