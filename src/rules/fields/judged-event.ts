import type { ShellCommand } from "../shell/analysis.ts";

/** An event as rules see it: any object with snake_case fields. */
export type RuleEvent = Readonly<Record<string, unknown>>;

/** What rules need from outside. */
export interface RulePorts {
  /** The path as the file system sees it: absolute, with `.`, `..`, `~` and symbolic links resolved. */
  normalisePath(path: string, cwd: string): string;
  /** The user's home, for patterns that start with `~`. */
  readonly home?: string;
  /** A file, or a folder with all in it: none when it does not exist, `undefined` when that is too much to look at. */
  readonly everythingIn?: (path: string) => readonly string[] | undefined;
  /** The environment in which a command would run. Without it no variable counts as empty. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /**
   * Whether something would be lost if the path were overwritten: a file that is not empty, or a folder; no link. Asked
   * only about paths for which the answer would otherwise be a stop. Without it every path counts.
   */
  holdsData?(path: string, cwd: string): boolean;
}

/** One event being decided. What is found out about it is remembered by {@link rememberedFor}. */
export interface JudgedEvent {
  readonly event: RuleEvent;
  readonly ports: RulePorts;
  /** Set when one simple command of the line is looked at by itself. */
  readonly only?: ShellCommand;
  /**
   * The analysis gave up on a part of the line, so every test of what that shell text does counts as met where that stops
   * a call; with `text` the tests of the text itself too, of whichever field.
   */
  readonly unsure?: "does" | "text";
}

/** Starts to decide an event. */
export function subjectOf(event: RuleEvent, ports: RulePorts, only?: ShellCommand): JudgedEvent {
  return { event, ports, ...(only && { only }) };
}

const shared = new WeakMap<RuleEvent, JudgedEvent>();

/**
 * Like {@link subjectOf}, but hooks that are asked about the same event share what they find out. Only an event that
 * is frozen is known to stay the same; any other gets a subject of its own.
 */
export function sharedJudgedEvent(event: RuleEvent, ports: RulePorts): JudgedEvent {
  const input = event.tool_input;
  if (!Object.isFrozen(event) || !Object.isFrozen(input)) return subjectOf(event, ports);
  const known = shared.get(event);
  if (known !== undefined && known.ports === ports) return known;
  const subject = subjectOf(event, ports);
  shared.set(event, subject);
  return subject;
}

/** A memory for one value by subject and key: it is found once, however many rules ask. */
export function rememberedFor<T>(): (subject: JudgedEvent, key: string, find: () => T) => T {
  const bySubject = new WeakMap<JudgedEvent, Map<string, { readonly value: T }>>();
  return (subject, key, find) => {
    let byKey = bySubject.get(subject);
    if (byKey === undefined) {
      byKey = new Map();
      bySubject.set(subject, byKey);
    }
    let known = byKey.get(key);
    if (known === undefined) {
      known = { value: find() };
      byKey.set(key, known);
    }
    return known.value;
  };
}
