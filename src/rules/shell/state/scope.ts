import type { Function as FunctionNode } from "unbash";
import { TEMPORARY_VARIABLE } from "../judge/throw-away.ts";
import { isKnown, unknown } from "../words/text.ts";

/** What earlier commands of the line have set, by name. */
export interface Tables {
  /** partly known text, or `undefined` for a variable that is set to something unknown. */
  readonly variables: Map<string, string | undefined>;
  readonly arrays: Map<string, readonly string[]>;
  readonly functions: Map<string, FunctionNode["body"]>;
  readonly aliases: Map<string, string>;
  /** Files and sockets opened with `exec 3<>…`, by descriptor. */
  readonly descriptors: Map<string, string>;
}

/** Variables of a process by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a command sees of the line before it. Read `tables`; write through {@link change}. */
export interface Scope {
  /** The environment in which the line starts; `undefined` when it is not known. */
  readonly environment: Environment | undefined;
  tables: Tables;
  /** The tables belong to another scope too, and are copied before the first change. */
  shared: boolean;
  /** `$1`, `$2` …; `undefined` when the caller's arguments are not known. */
  positional: readonly string[] | undefined;
  /** `$0`: what the shell was started as. */
  zero: string;
  /** Where `cd` has led, as written; empty for where the line started. */
  folder: string;
  /** Where the line still is if the last `cd` has failed; `undefined` when it can't have, or the line would have ended. */
  otherFolder: string | undefined;
  /** Whether `((…))` is arithmetic: surely in `bash` and `zsh`, and surely two subshells in some other shells. */
  shell: "bash" | "other" | "unknown";
  /** A file was sourced that may have set any variable, with `secrets` to something secret. */
  sourced: "settings" | "secrets" | undefined;
  /** `set -e` is in force. */
  stopsOnError: boolean;
  /** What the current function has declared for itself: after it, the names mean what they did before. */
  locals: Set<string> | undefined;
  /**
   * Read-only variables, in all scopes of a line. They take no second value. Whether the line goes on after an attempt
   * depends on the shell.
   */
  readonly fixed: Set<string>;
}

const NONE: Tables = {
  variables: new Map(),
  arrays: new Map(),
  functions: new Map(),
  aliases: new Map(),
  descriptors: new Map(),
};

/** The scope in which a line starts. `$1` and the like are empty there, as in `bash -c`. */
export function freshScope(environment?: Environment): Scope {
  return {
    environment,
    tables: NONE,
    shared: true,
    positional: [],
    zero: "bash",
    folder: "",
    otherFolder: undefined,
    shell: "unknown",
    sourced: undefined,
    stopsOnError: false,
    locals: undefined,
    fixed: new Set(),
  };
}

/** A copy whose changes stay inside, as for `( … )`, `$( … )` and the parts of a pipeline. */
export function childScope(scope: Scope): Scope {
  return { ...scope, shared: true };
}

/** The tables of a scope, to be changed. */
export function change(scope: Scope): Tables {
  if (scope.shared) {
    const { variables, arrays, functions, aliases, descriptors } = scope.tables;
    scope.tables = {
      variables: new Map(variables),
      arrays: new Map(arrays),
      functions: new Map(functions),
      aliases: new Map(aliases),
      descriptors: new Map(descriptors),
    };
    scope.shared = false;
  }
  return scope.tables;
}

/** Sets a variable. Of a list it is the first element. */
export function assign(scope: Scope, name: string, value: string | undefined): void {
  const { variables, arrays } = change(scope);
  variables.set(name, scope.fixed.has(name) ? undefined : value);
  arrays.delete(name);
}

/** What a variable is when the line has set it to something unknown: its name then says nothing about its value. */
export function unseen(name: string, source = `$${name}`): string {
  return unknown(TEMPORARY_VARIABLE.test(name) ? `\${${name}[0]}` : source);
}

/**
 * Sets the variable that a builtin is given by name, also as `name[0]` or, in zsh, `name?prompt`. A name that is unknown
 * may be that of any variable.
 */
export function assignNamed(scope: Scope, word: string, value: string | undefined): void {
  if (isKnown(word)) {
    const [, name = "", rest = ""] = /^([A-Za-z_]\w*)(.*)$/s.exec(word) ?? [];
    if (name !== "") assign(scope, name, rest === "" ? value : undefined);
    return;
  }
  for (const name of [...scope.tables.variables.keys(), ...scope.tables.arrays.keys(), ...WELL_KNOWN.keys()])
    assign(scope, name, undefined);
}

/** Forgets a variable: from then on it is empty. */
export function unassign(scope: Scope, name: string): void {
  const { variables, arrays } = change(scope);
  variables.set(name, "");
  arrays.delete(name);
}

/** Sets a list. */
export function assignList(scope: Scope, name: string, elements: readonly string[]): void {
  assign(scope, name, undefined);
  if (scope.fixed.has(name)) return;
  const { variables, arrays } = change(scope);
  variables.delete(name);
  arrays.set(name, elements);
}

/** Variables that mean the same on every machine. */
const WELL_KNOWN: ReadonlyMap<string, string> = new Map([
  ["HOME", "~"],
  ["IFS", " \t\n"],
  ["TMPDIR", "/tmp"],
  ["TMP", "/tmp"],
  ["TEMP", "/tmp"],
  ["RUNNER_TEMP", "/tmp"],
  ["SHELL", "/bin/sh"],
  ["BASH", "/bin/bash"],
]);

/** True when the line itself sets the variable. */
export function isSet(scope: Scope, name: string): boolean {
  if (/^\d$/.test(name)) return scope.positional?.[Number(name) - 1] !== undefined;
  return scope.tables.variables.has(name) || scope.tables.arrays.has(name);
}

/** True when the line has set the separator of joined arguments. */
export function joinsOtherwise(scope: Scope): boolean {
  return scope.tables.variables.has("IFS");
}

/** The value of `$name` as partly known text; `source` is what an unknown value is shown as. */
export function variableValue(scope: Scope, name: string, source: string): string {
  if (name === "PWD") return scope.folder === "" ? "." : scope.folder;
  if (name === "0") return scope.zero;
  if (/^[1-9]$/.test(name)) {
    return scope.positional === undefined ? unknown(source) : (scope.positional[Number(name) - 1] ?? "");
  }
  if (name === "*" && joinsOtherwise(scope)) return unknown(source);
  if (name === "@" || name === "*") {
    return scope.positional === undefined ? unknown(source) : scope.positional.join(" ");
  }
  const set = scope.tables.variables.has(name) ? scope.tables.variables.get(name) : undefined;
  if (set !== undefined) return set;
  const first = scope.tables.arrays.get(name)?.[0];
  if (first !== undefined) return first;
  if (scope.tables.variables.has(name)) return unseen(name, source);
  return isMissing(scope, name) ? unknown(source) : (WELL_KNOWN.get(name) ?? unknown(source));
}

/** True for a variable that is empty when the line uses it: neither the line nor its environment sets it. */
export function isMissing(scope: Scope, name: string): boolean {
  const { environment, sourced } = scope;
  if (environment === undefined || sourced !== undefined || SET_BY_SHELL.test(name) || isSet(scope, name))
    return false;
  return (environment[name] ?? "") === "";
}

/** Variables that shells set by themselves. */
const SET_BY_SHELL =
  /^(?:HOME|IFS|SHELL|BASH\w*|ZSH\w*|PWD|OLDPWD|PPID|U?ID|EUID|HOSTNAME|HOSTTYPE|RANDOM|SECONDS|LINENO|FUNCNAME|PIPESTATUS|OPT\w+|REPLY|PATH|USER|LOGNAME)$/;
