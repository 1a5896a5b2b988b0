import type { ShellAnalysis, ShellCommand } from "../shell/analysis.ts";

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
    analysed?: { readonly text: string; readonly analysis: ShellAnalysis };
    /** The event as each command of the line by itself. */
    alone?: readonly Subject[];
    roots?: readonly string[];
    paths?: Map<string, readonly (readonly string[])[]>;
    /** What the index looks through, by field, when several hooks share the subject. */
    texts?: Map<string, string>;
  };
}

/** Starts to decide an event. */
export function subjectOf(event: RuleEvent, ports: RulePorts, only?: ShellCommand): Subject {
  return only === undefined ? { event, ports, found: {} } : { event, ports, found: {}, only };
}

const shared = new WeakMap<RuleEvent, Subject>();

/**
 * Like {@link subjectOf}, but hooks that are asked about the same event share what they find out. Only an event that
 * is frozen is known to stay the same; any other gets a subject of its own.
 */
export function sharedSubject(event: RuleEvent, ports: RulePorts): Subject {
  const input = event.tool_input;
  if (!Object.isFrozen(event) || !Object.isFrozen(input)) return subjectOf(event, ports);
  const known = shared.get(event);
  if (known !== undefined && known.ports === ports) return known;
  const subject: Subject = { event, ports, found: { texts: new Map() } };
  shared.set(event, subject);
  return subject;
}
