import type { ShellCommand } from "./shell/analysis.ts";

/** An event as rules see it: any object with snake_case fields. */
export type RuleEvent = Readonly<Record<string, unknown>>;

/** What rules need from outside. */
export interface RulePorts {
  /** The path as the file system sees it: absolute, with `.`, `..`, `~` and symbolic links resolved. */
  normalisePath(path: string, cwd: string): string;
  /** The user's home, for patterns that start with `~`. */
  readonly home?: string;
}

/** One event being decided, with what was already found out about it. */
export interface Subject {
  readonly event: RuleEvent;
  readonly ports: RulePorts;
  /** Set when one simple command of the line is looked at by itself. */
  readonly only?: ShellCommand;
  /** Filled on first use by the function that finds it out; `null` means that there is none. */
  readonly found: {
    shellText?: string | null;
    roots?: readonly string[];
    paths?: Map<string, readonly (readonly string[])[]>;
  };
}

/** Starts to decide an event. */
export function subjectOf(event: RuleEvent, ports: RulePorts, only?: ShellCommand): Subject {
  return only === undefined ? { event, ports, found: {} } : { event, ports, found: {}, only };
}
