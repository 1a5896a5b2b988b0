import { isRecord, listOf, sameJson } from "../../core/base/json.ts";
import { AGENT_PID } from "../../node/identity/parent-program.ts";
import { isWithheld } from "../../node/process/environment.ts";
import { type AgentTable, ownName, rowOf } from "../codec/agent-table.ts";
import type { ForeignHooks, Imported, ImportedHook } from "../integration.ts";
import { isHookHandler } from "../settings/call-without-shell.ts";
import type { SettingsPath } from "../settings/json-edit.ts";
import { hookNames } from "./hook-name.ts";
import { stopLimits } from "./stop-limits.ts";

type Settings = Readonly<Record<string, unknown>>;

/** Takes one sentence about what differs from the agent. */
export type Tell = (difference: string) => void;

/** One handler of a `hooks` section, with the matcher of its group. */
export interface ForeignHandler {
  readonly event: string;
  readonly matcher: unknown;
  readonly handler: Settings;
  /** Whether the hooks of its event run side by side: one group that says `sequential` puts all of them in order. */
  readonly parallel: boolean;
  /** Where it is in the section. */
  readonly path: SettingsPath;
}

/** The handlers of a section that has groups by event, each with a matcher and a list of hooks. */
export function handlersInGroups(section: unknown): readonly ForeignHandler[] {
  return Object.entries(isRecord(section) ? section : {}).flatMap(([event, groups]) =>
    recordsIn(groups).flatMap(([at, group], _, all) =>
      recordsIn(group.hooks).map(([place, handler]) => ({
        event,
        matcher: group.matcher,
        handler,
        parallel: !all.some(([, { sequential }]) => sequential === true),
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
      parallel: false,
      path: [event, at],
    })),
  );
}

/** What the import of one agent's hooks consists of. */
export interface HookImport {
  readonly table: AgentTable;
  readonly handlers: (section: unknown) => readonly ForeignHandler[];
  /** The table's name of an event, where a section may spell it differently. */
  readonly eventOf?: (written: string) => string;
  /** What the agent does with a section that has an event it does not know. */
  readonly unknown: string;
  /** Events on which hooks can do what we can't pass on. */
  readonly notPassedOn?: readonly string[];
  /** Our definition of a handler; `undefined` when it is not imported. Tells why, and everything that differs. */
  readonly definitionOf: (given: ForeignHandler, hooks: ForeignHooks, tell: Tell) => Settings | undefined;
  /** Notes that apply to many hooks. */
  readonly notes: (definitions: readonly Settings[]) => readonly string[];
}

/** Converts the hooks of an agent to definitions. Skips those that `install` wrote. */
export function importHooks(agent: HookImport): (given: ForeignHooks) => Imported {
  const { table, eventOf = (written) => written } = agent;
  const otherAgents = `Other agents ask these hooks with the payload that ${table.title} would send, and their replies are read as there (written_for).`;
  return (given) => {
    const { folder } = given;
    const hooks = convertHandlers(agent.handlers(given.hooks), folder, (one, tell) => {
      const event = eventOf(one.event);
      if (!Object.hasOwn(table.events, event)) {
        tell(`${one.event} is not an event of ${table.title}, which ${agent.unknown}; the hook was skipped.`);
        return undefined;
      }
      if (agent.notPassedOn?.includes(event)) {
        tell(
          `its replies on ${one.event} can't be passed on: the hook was not imported and stays in ${table.title}.`,
        );
        return undefined;
      }
      const definition = agent.definitionOf(one, given, tell);
      if (definition !== undefined && rowOf(table, event).event === undefined)
        tell(`only ${table.title} has ${one.event}, so no other agent asks this hook.`);
      const command = definition?.command;
      if (definition === undefined || typeof command !== "string") return definition;
      return withAgentProcess(definition, [command, ...given.scriptsOf({ type: "command", command })], tell);
    });
    const definitions = hooks.flatMap(({ definition }) => (definition === undefined ? [] : [definition]));
    const keepsGoing = (event: string) => rowOf(table, eventOf(event)).says.keep_going !== undefined;
    const limits = stopLimits(hooks, keepsGoing, given);
    return {
      hooks,
      notes: definitions.length === 0 ? [] : [...agent.notes(definitions), otherAgents],
      limits,
    };
  };
}

/** Our event for one of the agent's, as matchers name it. */
export function eventFor(table: AgentTable, event: string): string {
  return rowOf(table, event).event ?? ownName(table, event);
}

/**
 * Converts handlers, but for those that `install` wrote.
 *
 * @param definitionOf Our definition without its name; `undefined` when the hook is not imported. Tells why, and
 *   everything that differs.
 */
function convertHandlers(
  handlers: readonly ForeignHandler[],
  folder: string | undefined,
  definitionOf: (given: ForeignHandler, tell: Tell) => Settings | undefined,
): readonly ImportedHook[] {
  const nameOf = hookNames("");
  return handlers
    .filter(({ handler }) => !isHookHandler(handler))
    .map((given) => {
      const { event, matcher, handler, path } = given;
      const name = nameOf(event, handler);
      const { tell, differences } = differenceList();
      const definition = definitionOf(given, tell);
      return {
        name,
        about: `${event}${typeof matcher === "string" && matcher !== "" ? ` ${matcher}` : ""}`,
        path,
        original: { event, matcher, handler, folder },
        differences,
        ...(definition === undefined ? {} : { definition: { name, ...definition } }),
      };
    });
}

export function differenceList(): { readonly tell: Tell; readonly differences: readonly string[] } {
  const differences: string[] = [];
  return {
    differences,
    tell: (difference) => {
      differences.push(`${difference.charAt(0).toUpperCase()}${difference.slice(1)}`);
    },
  };
}

/** A variable as shells, Python, JavaScript and Ruby name it. */
const NAMED =
  /(?:\$\{?|\benv\.|\benviron(?:\.get)?\W{1,3}|\bgetenv\W{1,3}|\bENV\W{1,3}|\benv\W{1,3})([A-Za-z_]\w*)/g;

/** Programs and packages that read keys by themselves. */
const READ_BY: readonly (readonly [by: RegExp, names: readonly string[]])[] = [
  [/(?:^|[\s;&|("'`])gh\s+[a-z]/m, ["GH_TOKEN", "GITHUB_TOKEN"]],
  [
    /(?:^|[\s;&|("'`])claude\s+-|\banthropic\b/m,
    ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
  ],
  [/^\s*(?:import|from)\s+openai\b|["']openai["']/m, ["OPENAI_API_KEY"]],
  [
    /(?:^|[\s;&|("'`])aws\s+[a-z]/m,
    ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"],
  ],
];

/** The keys and tokens that a command or its scripts use, as `env` of its definition; all others are withheld. */
export function neededSecrets(command: string, { scriptsOf }: ForeignHooks, tell: Tell): Settings {
  return secretsIn([command, ...scriptsOf({ type: "command", command })], tell);
}

export function secretsIn(texts: readonly string[], tell: Tell): Settings {
  const found = texts.flatMap((text) => [
    ...[...text.matchAll(NAMED)].map(([, name = ""]) => name).filter((name) => name === name.toUpperCase()),
    ...READ_BY.flatMap(([by, names]) => (by.test(text) ? names : [])),
  ]);
  const secrets = [...new Set(found)].filter(isWithheld).sort();
  if (secrets.length === 0) return {};
  tell(`it gets ${secrets.join(", ")}, which it uses; other keys and tokens are withheld.`);
  return { env: secrets };
}

const OWN_PARENT = /\$PPID\b|\$\{PPID\}/g;

/**
 * A definition that gets the id of the agent's process where it takes its parent for the agent. No shell lets us set
 * `PPID`, so that a line names our variable instead, and a script has to.
 */
export function withAgentProcess(definition: Settings, texts: readonly string[], tell: Tell): Settings {
  if (!texts.some((text) => /\$\{?PPID\b|\bgetppid\b|\bprocess\.ppid\b/.test(text))) return definition;
  const { command, env } = definition;
  const withOurs = (text: unknown) =>
    typeof text === "string" ? text.replaceAll(OWN_PARENT, `\${${AGENT_PID}:-$PPID}`) : text;
  const changed = Array.isArray(command) ? command.map(withOurs) : withOurs(command);
  const isInLine = !sameJson(changed, command);
  tell(
    isInLine
      ? `its $PPID became ${AGENT_PID}, the id of the agent's process: its parent here is a process of ours.`
      : `it uses the id of its parent process, which is the agent there and a process of ours here, another one at each call: take the variable ${AGENT_PID} in its script, in a shell \${${AGENT_PID}:-$PPID}.`,
  );
  return {
    ...definition,
    ...(isInLine ? { command: changed } : {}),
    env: [...listOf(env), AGENT_PID],
  };
}

/** Headers with `${NAME}` in place of `$NAME`. */
export function withBraces(headers: Settings): Settings {
  return Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [name, String(text).replaceAll(/\$(\w+)/g, "$${$1}")]),
  );
}

export function tellUnknownKeys(handler: Settings, known: readonly string[], tell: Tell): void {
  for (const key of Object.keys(handler))
    if (!known.includes(key)) tell(`${key} has no equivalent and was skipped.`);
}

function recordsIn(value: unknown): readonly (readonly [number, Settings])[] {
  const list = listOf(value);
  return [...list.entries()].flatMap(([at, one]) => (isRecord(one) ? [[at, one] as const] : []));
}
