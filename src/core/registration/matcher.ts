import { atPlace, TenterhookError } from "../base/errors.ts";
import {
  checkValue,
  type Fields,
  field,
  type Kind,
  kinds,
  type ObjectOf,
  type ValueOf,
} from "../base/kinds.ts";
import type { EventRow } from "../events/event-row.ts";
import type { AnyEvent } from "../events/payloads.ts";
import { compilePathGlob } from "../match/glob.ts";
import { compileNames, matchesName } from "../match/names.ts";
import type { PathNormaliser } from "../match/paths.ts";
import { anchoredPatterns, withoutLeadingBraces } from "../match/paths.ts";
import { modelOf, pathsOf, toolOf } from "../match/tool-inputs.ts";
import { canonicalToolName, selectedTools, toolSpellings } from "../match/tool-names.ts";
import { canonicalHost, domainsOf } from "../match/url-hosts.ts";
import type { Condition, Ports, Predicate } from "../ports.ts";

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
function matcherField<K extends Kind>(
  kind: K,
  docs: string,
  compile: CompileField<ValueOf<K>>,
  compared?: Compared,
) {
  const checked: CompileField<unknown> = (value, place, ports, rowOf) => {
    checkValue(value, kind, place);
    return compile(value, place, ports, rowOf);
  };
  return { ...field(kind, docs), compile: checked, compared };
}

/** A row for names that are compared with what the event says. */
function namesField(
  noun: string,
  docs: string,
  read: (event: AnyEvent) => readonly unknown[],
  canonical = (name: string) => name,
) {
  const compile: CompileField<ValueOf<typeof kinds.names>> = (value, place, ports) => {
    const wanted = compileNames([value].flat().map(canonical), ports.regex, place);
    const isWanted = (name: unknown) => typeof name === "string" && matchesName(wanted, name);
    return { test: (event) => read(event).some(isWanted) };
  };
  return matcherField(kinds.names, docs, compile, { noun, read });
}

const sessionType = kinds.word("root", "subagent");

/** The one table of matcher fields: types, checks, the schema of files and the reference are derived from it. */
export const MATCHER_FIELDS = {
  tools: matcherField(
    kinds.names,
    "Tools by name, `A|B`, glob or `/regex/`; our names and every agent's own names both match.",
    (value, place, ports) => ({ tool: toolTest([value].flat(), place, ports) }),
    { noun: "tool", read: (event) => [toolOf(event)] },
  ),
  path_patterns: matcherField(
    kinds.names,
    "Globs for the paths a call touches.",
    (value, _place, ports) => ({ test: pathPredicate([value].flat(), ports.paths) }),
    { noun: "path", read: pathsOf },
  ),
  command_patterns: matcherField(
    kinds.names,
    "Globs or `/regex/` for each simple command of a shell line. A command that can't be known (`$CMD x`) fits too.",
    (value, place, { conditions }) => {
      if (conditions === undefined) throw unsupported(place);
      return conditions.commandPatterns([value].flat());
    },
  ),
  model_patterns: namesField("model", "Models by name or glob: `anthropic/*`.", (event) => [modelOf(event)]),
  session_types: matcherField(
    kinds.either(
      "root, subagent or a list of them",
      sessionType,
      kinds.filled(sessionType, "a list of them"),
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
  hook_turns: matcherField(kinds.boolean, "False: not on turns that a hook started.", (value) => ({
    test: value ? () => true : (event) => event.is_hook_input_turn !== true,
  })),
  when: matcherField(
    kinds.anything,
    "A rule condition, as a string or as an object.",
    (value, place, { conditions }) => {
      if (conditions === undefined) throw unsupported(place);
      return conditions.when(value);
    },
  ),
  outcome: matcherField(
    kinds.word("success", "failure"),
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
  checkValue(matcher, kinds.object(MATCHER_FIELDS), place);
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

/**
 * A test for the tools that a matcher names.
 *
 * @throws TenterhookError `bad_pattern`; `unsupported_matcher` for a regular expression without an engine.
 */
export function toolTest(
  names: readonly string[],
  place: string,
  { regex }: Pick<Ports, "regex">,
): (name: string) => boolean {
  const [wrong, ...others] = names.filter(
    (name) => !/^\/.*\/i?$/s.test(name) && /[\^$()+\\]|\.[*+?]/.test(name),
  );
  if (wrong !== undefined) {
    const also = others.map((name) => ` The same goes for ${JSON.stringify(name)}.`).join("");
    throw new TenterhookError(
      "bad_pattern",
      `${place} has ${JSON.stringify(wrong)}, which fits no tool: it is a regular expression. Write it as ${JSON.stringify(`/${wrong}/`)}.${also}`,
    );
  }
  const wanted = compileNames(names, regex, place);
  const exact = new Set([...wanted.exact].flatMap(selectedTools));
  return (name) =>
    exact.has(canonicalToolName(name)) ||
    (wanted.patterns.length > 0 &&
      [name, ...toolSpellings(name)].some((spelling) => matchesName(wanted, spelling)));
}

/** Paths match in any spelling: as written, resolved, and with links followed, on both sides; `dir/` is all that is in it. */
function pathPredicate(given: readonly string[], system: PathNormaliser): Predicate {
  const patterns = given.flatMap(withoutLeadingBraces).map((pattern) => pattern.replace(/\/$/, "/**"));
  // Patterns have slashes, whatever the agent's system has.
  const paths: PathNormaliser = {
    spellings: (path, cwd) =>
      system
        .spellings(path, cwd)
        .flatMap((one) => (one.includes("\\") ? [one, one.replaceAll("\\", "/")] : one)),
  };
  const byName = patterns
    .filter((pattern) => !pattern.includes("/"))
    .map((pattern) => compilePathGlob(pattern));
  const byPath = patterns.filter((pattern) => pattern.includes("/"));
  const compiled = new Map<string, (path: string) => boolean>();
  const glob = (pattern: string): ((path: string) => boolean) => {
    let test = compiled.get(pattern);
    if (test === undefined) {
      if (compiled.size > 1000) compiled.clear();
      test = compilePathGlob(pattern);
      compiled.set(pattern, test);
    }
    return test;
  };
  for (const pattern of byPath) glob(pattern);
  return (event) => {
    for (const path of pathsOf(event)) {
      for (const spelling of paths.spellings(path, event.cwd)) {
        if (byName.some((test) => test(spelling))) return true;
        for (const pattern of byPath) {
          for (const anchored of anchoredPatterns(pattern, event.cwd, paths))
            if (glob(anchored)(spelling)) return true;
        }
      }
    }
    return false;
  };
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
  const told = event[row.outcome.field];
  if (typeof told !== "string") return undefined;
  return told === row.outcome.success ? "success" : "failure";
}

function unsupported(place: string): TenterhookError {
  return new TenterhookError(
    "unsupported_matcher",
    `${place} needs the rules, and this hook set was made without them.`,
  );
}
