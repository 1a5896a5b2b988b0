import { isRecord } from "../../core/base/json.ts";
import type { ForeignHooks, ImportedHook } from "../bridge.ts";
import { isHookCommand } from "../settings/agent-settings.ts";
import type { SettingsPath } from "../settings/json-edit.ts";
import { secretsIn } from "./secrets.ts";

type Settings = Readonly<Record<string, unknown>>;

/** Takes one sentence about what differs from the agent. */
export type Tell = (difference: string) => void;

/** One handler of a `hooks` section, with the group it is in. */
export interface ForeignHandler {
  readonly event: string;
  readonly matcher: unknown;
  readonly handler: Settings;
  readonly group: Settings;
  /** Where it is in the section. */
  readonly path: SettingsPath;
}

/** The handlers of a section that has groups by event, each with a matcher and a list of hooks. */
export function handlersInGroups(section: unknown): readonly ForeignHandler[] {
  return Object.entries(isRecord(section) ? section : {}).flatMap(([event, groups]) =>
    recordsIn(groups).flatMap(([at, group]) =>
      recordsIn(group.hooks).map(([place, handler]) => ({
        event,
        matcher: group.matcher,
        handler,
        group,
        path: [event, at, "hooks", place],
      })),
    ),
  );
}

/** The handlers of a section that has lists of them by event, each with its matcher. */
export function handlersInLists(section: unknown): readonly ForeignHandler[] {
  return Object.entries(isRecord(section) ? section : {}).flatMap(([event, list]) =>
    recordsIn(list).map(([at, handler]) => ({
      event,
      matcher: handler.matcher,
      handler,
      group: {},
      path: [event, at],
    })),
  );
}

/** Whether the hooks of an event run side by side: one group that says `sequential` puts all of them in order. */
export function parallelIn(handlers: readonly ForeignHandler[]): (event: string) => boolean {
  const inOrder = new Set(
    handlers.filter(({ group }) => group.sequential === true).map(({ event }) => event),
  );
  return (event) => !inOrder.has(event);
}

/**
 * Converts handlers, but for those that `install` wrote.
 *
 * @param definitionOf Our definition without its name; `undefined` when the hook is not imported. Tells why, and
 *   everything that differs.
 */
export function convertHandlers(
  agent: string,
  handlers: readonly ForeignHandler[],
  definitionOf: (given: ForeignHandler, tell: Tell) => Settings | undefined,
): readonly ImportedHook[] {
  const numbers = new Map<string, number>();
  return handlers
    .filter(({ handler }) => !isHookCommand(handler.command))
    .map((given) => {
      const { event, matcher, handler, path } = given;
      const number = (numbers.get(event) ?? 0) + 1;
      numbers.set(event, number);
      const name = `${agent}-${kebab(event)}-${number}`;
      const { tell, differences } = differencesTold();
      const definition = definitionOf(given, tell);
      return {
        name,
        about: `${event}${typeof matcher === "string" && matcher !== "" ? ` ${matcher}` : ""}`,
        path,
        original: { event, matcher, handler },
        differences,
        ...(definition === undefined ? {} : { definition: { name, ...definition } }),
      };
    });
}

/** A list of differences, each written as a sentence. */
export function differencesTold(): { readonly tell: Tell; readonly differences: readonly string[] } {
  const differences: string[] = [];
  return {
    differences,
    tell: (difference) => {
      differences.push(`${difference.charAt(0).toUpperCase()}${difference.slice(1)}`);
    },
  };
}

/** The keys and tokens that a command or its scripts use, as `env` of its definition; all others are withheld. */
export function neededSecrets(command: string, { scriptsOf }: ForeignHooks, tell: Tell): Settings {
  const secrets = secretsIn([command, ...scriptsOf({ type: "command", command })]);
  if (secrets.length === 0) return {};
  tell(`it gets ${secrets.join(", ")}, which it uses; other keys and tokens are withheld.`);
  return { env: secrets };
}

/** Tells about keys that have no equivalent. */
export function tellUnknownKeys(handler: Settings, known: readonly string[], tell: Tell): void {
  for (const key of Object.keys(handler))
    if (!known.includes(key)) tell(`${key} has no equivalent and was skipped.`);
}

/** The name of an event or an owner as part of a hook's name. */
export function kebab(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, "$1-$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .toLowerCase();
}

function recordsIn(value: unknown): readonly (readonly [number, Settings])[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return [...list.entries()].flatMap(([at, one]) => (isRecord(one) ? [[at, one] as const] : []));
}
