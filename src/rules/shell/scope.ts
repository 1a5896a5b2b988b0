import type { Function as FunctionNode } from "unbash";
import { unknown } from "./marked.ts";

/** What earlier commands of the line have set: variables, functions, aliases, the folder. */
export interface Scope {
  /** Marked text, or `undefined` for a variable that is set to something unknown. */
  readonly variables: Map<string, string | undefined>;
  readonly arrays: Map<string, readonly string[]>;
  readonly functions: Map<string, FunctionNode["body"]>;
  readonly aliases: Map<string, string>;
  /** Files and sockets opened with `exec 3<>…`, by descriptor. */
  readonly descriptors: Map<string, string>;
  /** `$1`, `$2` …; `undefined` when the caller's arguments are not known. */
  positional: readonly string[] | undefined;
  /** Where `cd` has led, as written; empty for where the line started. */
  folder: string;
  /** Inside a branch or loop that may not run: a second value for a variable makes it unknown. */
  conditional: boolean;
}

/** The scope in which a line starts. `$1` and the like are empty there, as in `bash -c`. */
export function freshScope(): Scope {
  return {
    variables: new Map(),
    arrays: new Map(),
    functions: new Map(),
    aliases: new Map(),
    descriptors: new Map(),
    positional: [],
    folder: "",
    conditional: false,
  };
}

/** A copy whose changes stay inside, as for `( … )`, `$( … )` and the parts of a pipeline. */
export function childScope(scope: Scope): Scope {
  return {
    ...scope,
    variables: new Map(scope.variables),
    arrays: new Map(scope.arrays),
    functions: new Map(scope.functions),
    aliases: new Map(scope.aliases),
    descriptors: new Map(scope.descriptors),
  };
}

/** Sets a variable; two different values on two possible ways through the line make it unknown. */
export function assign(scope: Scope, name: string, value: string | undefined): void {
  const before = scope.variables.get(name);
  const differs = scope.conditional && scope.variables.has(name) && before !== value;
  scope.variables.set(name, differs ? undefined : value);
}

/** Variables that mean the same on every machine. */
const WELL_KNOWN: ReadonlyMap<string, string> = new Map([
  ["HOME", "~"],
  ["IFS", " \t\n"],
  ["TMPDIR", "/tmp"],
  ["TMP", "/tmp"],
  ["TEMP", "/tmp"],
  ["RUNNER_TEMP", "/tmp"],
]);

/** True when the line or every system gives the variable a value. */
export function isSet(scope: Scope, name: string): boolean {
  if (/^\d$/.test(name)) return scope.positional?.[Number(name) - 1] !== undefined;
  return scope.variables.has(name) || scope.arrays.has(name) || WELL_KNOWN.has(name);
}

/** The value of `$name` as marked text; `source` is what an unknown value is shown as. */
export function variableValue(scope: Scope, name: string, source: string): string {
  if (name === "PWD") return scope.folder === "" ? "." : scope.folder;
  if (/^[1-9]$/.test(name)) {
    return scope.positional === undefined ? unknown(source) : (scope.positional[Number(name) - 1] ?? "");
  }
  if (name === "@" || name === "*") {
    return scope.positional === undefined ? unknown(source) : scope.positional.join(" ");
  }
  const set = scope.variables.has(name) ? scope.variables.get(name) : undefined;
  if (set !== undefined) return set;
  const first = scope.arrays.get(name)?.[0];
  if (first !== undefined) return first;
  return scope.variables.has(name) ? unknown(source) : (WELL_KNOWN.get(name) ?? unknown(source));
}
