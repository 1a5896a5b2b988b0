import { checkKeys, stringList } from "../base/check-options.ts";
import { atPlace, TenterhookError } from "../base/errors.ts";
import type { EventRow } from "../events/event-table.ts";
import type { AnyEvent } from "../events/payloads.ts";
import { compilePathGlob } from "../match/glob.ts";
import { compileNames, matchesName } from "../match/names.ts";
import type { PathNormaliser } from "../match/paths.ts";
import { anchoredPatterns, withoutLeadingBraces } from "../match/paths.ts";
import { modelOf, pathsOf } from "../match/tool-inputs.ts";
import { canonicalToolName, toolSpellings } from "../match/tool-names.ts";
import { canonicalHost, domainsOf } from "../match/url-hosts.ts";
import type { Condition, Ports, Predicate } from "../ports.ts";

type Names = string | readonly string[];

/** Which events a hook wants. Fields are joined by and, the values inside a field by or. */
export interface Matcher {
  /** Tools by name, `A|B`, glob or `/regex/`; our names and every agent's own names both fit. */
  readonly tools?: Names;
  /** Globs over the paths a call touches. */
  readonly path_patterns?: Names;
  /** Globs or `/regex/` over each simple command of a shell line. */
  readonly command_patterns?: Names;
  /** Models by name or glob: `anthropic/*`. */
  readonly model_patterns?: Names;
  /** The first agent of a session, or the agents it started. */
  readonly session_types?: "root" | "subagent" | readonly ("root" | "subagent")[];
  /** Agents by type or id. */
  readonly agents?: Names;
  /** The program the agent runs in: `tenterhook`, `claude` and so on. */
  readonly hosts?: Names;
  /** SessionStart: startup, resume, clear, compact, fork. */
  readonly sources?: Names;
  /** Error: its type, by name or glob: `hook_*`. */
  readonly error_types?: Names;
  /** The hosts a call names. */
  readonly domains?: Names;
  /** False: not on turns that a hook started. */
  readonly hook_turns?: boolean;
  /** Any rule condition. */
  readonly when?: unknown;
  /** Only after this outcome of a call. */
  readonly outcome?: "success" | "failure";
}

/** A matcher made ready: the tools are asked first and remembered by name, the rest is asked for each event. */
export interface CompiledMatcher {
  readonly tool?: (name: string) => boolean;
  readonly test?: Predicate;
  /** Resolves when `test` may be asked. */
  readonly ready?: Promise<unknown>;
  /** An allow of the hook counts only for events of which this is true. */
  readonly covers?: Predicate;
}

type RowOf = (eventName: string) => EventRow;
type FieldCompiler = (value: unknown, place: string, ports: Ports, rowOf: RowOf) => Predicate | Condition;

/** One row for each field beside `tools`. */
const FIELDS: { readonly [Field in Exclude<keyof Matcher, "tools">]: FieldCompiler } = {
  path_patterns: (value, place, ports) => pathPredicate(stringList(value, place), ports.paths),
  command_patterns: (value, place, ports) => {
    if (ports.conditions === undefined) throw unsupported(place);
    return ports.conditions.commandPatterns(stringList(value, place));
  },
  model_patterns: names((event) => [modelOf(event)]),
  session_types: (value, place) => {
    const types = new Set(oneOf(value, place, ["root", "subagent"]));
    return (event) => types.has(event.parent_agent_id === undefined ? "root" : "subagent");
  },
  agents: names((event) => [event.agent_type, event.agent_id]),
  hosts: names((event) => [event.host]),
  sources: names((event) => [event.source]),
  error_types: names((event) => [event.error_type]),
  domains: (value, place, ports, rowOf) =>
    names(domainsOf)(stringList(value, place).map(canonicalHost), place, ports, rowOf),
  hook_turns: (value, place) => {
    if (typeof value !== "boolean")
      throw new TenterhookError("invalid_option", `${place} must be true or false.`);
    return value ? () => true : (event) => event.is_hook_input_turn !== true;
  },
  when: (value, place, ports) => {
    if (ports.conditions === undefined) throw unsupported(place);
    return ports.conditions.when(value);
  },
  outcome: (value, place, _ports, rowOf) => {
    const wanted = new Set(oneOf(value, place, ["success", "failure"]));
    return (event) => wanted.has(outcomeOf(event, rowOf(event.hook_event_name)) ?? "");
  },
};

/** The names of all matcher fields. */
export const MATCHER_FIELDS: readonly string[] = ["tools", ...Object.keys(FIELDS)];

/**
 * Makes a matcher ready.
 *
 * @throws TenterhookError for an unknown field, a bad pattern, or a field whose part is missing.
 */
export function compileMatcher(matcher: Matcher, place: string, ports: Ports, rowOf: RowOf): CompiledMatcher {
  checkKeys(matcher, MATCHER_FIELDS, place);
  const conditions: Condition[] = [];
  for (const [field, compile] of Object.entries(FIELDS)) {
    const value: unknown = Reflect.get(matcher, field);
    if (value === undefined) continue;
    const compiled = placed(`${place}: ${field}`, (at) => compile(value, at, ports, rowOf));
    conditions.push(typeof compiled === "function" ? { test: compiled } : compiled);
  }
  const tool =
    matcher.tools === undefined
      ? {}
      : { tool: placed(`${place}: tools`, (at) => toolTest(matcher.tools, at, ports)) };
  if (conditions.length === 0) return tool;
  const waits = conditions.flatMap(({ ready }) => ready ?? []);
  const covers = conditions.flatMap((condition) => condition.covers ?? []);
  return {
    ...tool,
    test: every(conditions.map(({ test }) => test)),
    ...(waits.length === 0 ? {} : { ready: Promise.all(waits) }),
    ...(covers.length === 0 ? {} : { covers: every(covers) }),
  };
}

/** Compiles a field so that an error about a pattern says where the pattern stands. */
function placed<T>(place: string, compile: (place: string) => T): T {
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

function toolTest(value: unknown, place: string, ports: Ports): (name: string) => boolean {
  const wanted = compileNames(stringList(value, place), ports.regex, place);
  const exact = new Set([...wanted.exact].map(canonicalToolName));
  return (name) =>
    exact.has(canonicalToolName(name)) ||
    (wanted.patterns.length > 0 &&
      [name, ...toolSpellings(name)].some((spelling) => matchesName(wanted, spelling)));
}

/** A field that compares names with what the event says. */
function names(read: (event: AnyEvent) => readonly unknown[]): FieldCompiler {
  return (value, place, ports) => {
    const wanted = compileNames(stringList(value, place), ports.regex, place);
    return (event) => read(event).some((name) => typeof name === "string" && matchesName(wanted, name));
  };
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

function outcomeOf(event: AnyEvent, row: EventRow): string | undefined {
  if (row.outcome === undefined || typeof row.outcome === "string") return row.outcome;
  const told = event[row.outcome.field];
  if (typeof told !== "string") return undefined;
  return told === row.outcome.success ? "success" : "failure";
}

function oneOf(value: unknown, place: string, choices: readonly string[]): readonly string[] {
  const values = stringList(value, place);
  for (const item of values) {
    if (!choices.includes(item)) {
      throw new TenterhookError(
        "invalid_option",
        `${place} is ${JSON.stringify(item)}; it must be ${choices.join(" or ")}.`,
      );
    }
  }
  return values;
}

function unsupported(place: string): TenterhookError {
  return new TenterhookError(
    "unsupported_matcher",
    `${place} needs the rules, and this hook set was made without them.`,
  );
}
