import { atPlace, TenterhookError } from "../base/errors.ts";
import {
  checkValue,
  type Fields,
  field,
  type ObjectOf,
  type Schema,
  schemas,
  type ValueOf,
} from "../base/schemas.ts";
import type { EventRow } from "../events/event-row.ts";
import type { AnyEvent } from "../events/payloads.ts";
import { modelOf, pathsOf } from "../match/tool-inputs.ts";
import { compileNames, matchesName, toolOf, toolTest } from "../match/tool-names.ts";
import { canonicalHost, domainsOf } from "../match/url-hosts.ts";
import type { Condition, Ports, Predicate } from "../ports.ts";
import { pathTest } from "./path-test.ts";

type RowOf = (eventName: string) => EventRow;

/** A compiled field: a test of the tool's name, which is cached by name, or a test of the event. */
type CompiledField = Condition | { readonly tool: (name: string) => boolean };
type CompileField<Value> = (value: Value, place: string, ports: Ports, rowOf: RowOf) => CompiledField;

/** The values of an event that a field is compared with, and what they are: `explain` says "the event names no tool". */
export interface Compared {
  readonly noun: string;
  readonly read: (event: AnyEvent, rowOf: RowOf) => readonly unknown[];
}

/** A row: what the field may be, its line in the reference, how it is compiled, and what it is compared with. */
function matcherField<K extends Schema>(
  schema: K,
  docs: string,
  compile: CompileField<ValueOf<K>>,
  compared?: Compared,
) {
  const checked: CompileField<unknown> = (value, place, ports, rowOf) => {
    checkValue(value, schema, place);
    return compile(value, place, ports, rowOf);
  };
  return { ...field(schema, docs), compile: checked, compared };
}

/** A row for names that are compared with what the event says. */
function namesField(
  noun: string,
  docs: string,
  read: (event: AnyEvent) => readonly unknown[],
  canonical = (name: string) => name,
) {
  const compile: CompileField<ValueOf<typeof schemas.names>> = (value, place, ports) => {
    const wanted = compileNames([value].flat().map(canonical), ports.regex, place);
    const isWanted = (name: unknown) => typeof name === "string" && matchesName(wanted, name);
    return { test: (event) => read(event).some(isWanted) };
  };
  return matcherField(schemas.names, docs, compile, { noun, read });
}

const sessionType = schemas.word("root", "subagent");

/** The one table of matcher fields: types, checks, the schema of files and the reference are derived from it. */
export const MATCHER_FIELDS = {
  tools: matcherField(
    schemas.names,
    "Tools by name, `A|B`, glob or `/regex/`; our names and every agent's own names both match.",
    (value, place, ports) => ({ tool: toolTest([value].flat(), place, ports) }),
    { noun: "tool", read: (event) => [toolOf(event)] },
  ),
  path_patterns: matcherField(
    schemas.names,
    "Globs for the paths a call touches.",
    (value, _place, ports) => ({ test: pathTest([value].flat(), ports.paths) }),
    { noun: "path", read: pathsOf },
  ),
  command_patterns: matcherField(
    schemas.names,
    "Globs or `/regex/` for each simple command of a shell line. A command that can't be known (`$CMD x`) fits too.",
    (value, place, { conditions }) => {
      if (conditions === undefined) throw unsupported(place);
      return conditions.commandPatterns([value].flat());
    },
  ),
  model_patterns: namesField("model", "Models by name or glob: `anthropic/*`.", (event) => [modelOf(event)]),
  session_types: matcherField(
    schemas.either(
      "root, subagent or a list of them",
      sessionType,
      schemas.filled(sessionType, "a list of them"),
    ),
    "The first agent of a session (root), or the agents it started (subagent).",
    (value) => {
      const types = new Set<string>([value].flat());
      return { test: (event) => types.has(sessionTypeOf(event)) };
    },
    { noun: "session type", read: (event) => [sessionTypeOf(event)] },
  ),
  agents: namesField("agent", "Agents by type or id.", agentNames),
  hosts: namesField(
    "host",
    "The program the agent runs in: `tenterhook`, `claude`, `codex` and so on.",
    (event) => [event.host],
  ),
  sources: namesField("source", "SessionStart: startup, resume, clear, compact, fork.", (event) => [
    event.source,
  ]),
  error_types: namesField("error type", "Error: its type, by name or glob: `hook_*`.", (event) => [
    event.error_type,
  ]),
  domains: namesField("host name", "The hosts a call names.", domainsOf, canonicalHost),
  hook_turns: matcherField(schemas.boolean, "False: not on turns that a hook started.", (value) => ({
    test: value ? () => true : (event) => event.is_hook_input_turn !== true,
  })),
  when: matcherField(
    schemas.anything,
    "A rule condition, as a string or as an object.",
    (value, place, { conditions }) => {
      if (conditions === undefined) throw unsupported(place);
      return conditions.when(value);
    },
  ),
  outcome: matcherField(
    schemas.word("success", "failure"),
    "Only after this outcome of a call.",
    (value, _place, _ports, rowOf) => ({
      test: (event) => outcomeOf(event, rowOf) === value,
    }),
    { noun: "outcome", read: (event, rowOf) => [outcomeOf(event, rowOf)] },
  ),
} as const satisfies Fields;

/** Which events a hook wants. Fields are joined by and, the values inside a field by or. */
export type Matcher = ObjectOf<typeof MATCHER_FIELDS>;

/** A matcher made ready: the tools are asked first and remembered by name, the rest is asked for each event. */
export interface CompiledMatcher {
  readonly tool?: (name: string) => boolean;
  readonly test?: Predicate;
  /** Resolves when `test` may be asked. */
  readonly ready?: Promise<unknown>;
  /** An allow of the hook counts only for events of which this is true. */
  readonly covers?: Predicate;
}

/**
 * Makes a matcher ready.
 *
 * @throws TenterhookError for an unknown field, a bad pattern, or a field whose part is missing.
 */
export function compileMatcher(matcher: Matcher, place: string, ports: Ports, rowOf: RowOf): CompiledMatcher {
  checkValue(matcher, schemas.object(MATCHER_FIELDS), place);
  const compiled = Object.entries(MATCHER_FIELDS).flatMap(([name, { compile }]) => {
    const value: unknown = Reflect.get(matcher, name);
    return value === undefined
      ? []
      : [atField(`${place}: ${name}`, (at) => compile(value, at, ports, rowOf))];
  });
  const tool = compiled.find((part) => "tool" in part);
  const conditions = compiled.filter((part) => "test" in part);
  if (conditions.length === 0) return { ...tool };
  const waits = conditions.flatMap(({ ready }) => ready ?? []);
  const covers = conditions.flatMap((condition) => condition.covers ?? []);
  return {
    ...tool,
    test: every(conditions.map(({ test }) => test)),
    ...(waits.length === 0 ? {} : { ready: Promise.all(waits) }),
    ...(covers.length === 0 ? {} : { covers: every(covers) }),
  };
}

/** Compiles a field so that an error about a pattern names the field. */
function atField<T>(place: string, compile: (place: string) => T): T {
  try {
    return compile(place);
  } catch (error) {
    throw error instanceof TenterhookError && !error.message.startsWith(place)
      ? atPlace(error, place)
      : error;
  }
}

function every(tests: readonly Predicate[]): Predicate {
  const [first] = tests;
  return tests.length === 1 && first !== undefined ? first : (event) => tests.every((test) => test(event));
}

/** A foreign agent does not name its main agent. */
function agentNames({ agent_type, agent_id, parent_agent_id }: AnyEvent): readonly (string | undefined)[] {
  const main = parent_agent_id === undefined ? "main" : undefined;
  return [agent_type ?? main, agent_id];
}

function sessionTypeOf({ parent_agent_id }: AnyEvent): string {
  return parent_agent_id === undefined ? "root" : "subagent";
}

function outcomeOf(event: AnyEvent, rowOf: RowOf): string | undefined {
  const row = rowOf(event.hook_event_name);
  if (row.outcome === undefined || typeof row.outcome === "string") return row.outcome;
  const outcome = event[row.outcome.field];
  if (typeof outcome !== "string") return undefined;
  return outcome === row.outcome.success ? "success" : "failure";
}

function unsupported(place: string): TenterhookError {
  return new TenterhookError(
    "unsupported_matcher",
    `${place} needs the rules, and this hook set was made without them.`,
  );
}
