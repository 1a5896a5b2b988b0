import { withoutUndefined } from "../../core/base/json.ts";
import type { SettingsText } from "./json-edit.ts";

/** An event for which the agent has to call us. */
export interface WantedEvent {
  readonly native: string;
  /** Seconds the agent waits for us: longer than all our own timeouts together. */
  readonly timeout: number;
  /** The agent must refuse when it can't run us. */
  readonly gate: boolean;
  /** The tools for which the agent has to call us, in its own syntax; all when absent. */
  readonly matcher?: string;
  /** True when the matcher follows from the hooks in force here. In other folders others are. */
  readonly of_hooks?: true;
  /** Our program as the agent has to call it. Default: `tenterhook hook`. */
  readonly command?: string;
  /** True when the monitor has to be able to wake the agent after it. */
  readonly wakes?: true;
}

/** Combines what several folders need from one settings file: all events, for all tools that any of them needs. */
export function joinedEvents(
  some: readonly WantedEvent[],
  others: readonly WantedEvent[],
): readonly WantedEvent[] {
  const joined = new Map<string, WantedEvent>();
  for (const event of [...some, ...others]) {
    const known = joined.get(event.native) ?? event;
    const { native, command = known.command } = event;
    const matcher = joinedMatcher(known.matcher, event.matcher);
    joined.set(native, {
      native,
      timeout: Math.max(known.timeout, event.timeout),
      gate: known.gate || event.gate,
      ...withoutUndefined({ matcher, command }),
      ...(known.wakes === true || event.wakes === true ? { wakes: true } : {}),
    });
  }
  return [...joined.values()];
}

/** Two lists of names make one; anything else stays only when it is the same. */
function joinedMatcher(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined || one === other) return one === other ? one : undefined;
  const isList = (text: string) => /^[\w.|-]+$/.test(text);
  return isList(one) && isList(other)
    ? [...new Set([...one.split("|"), ...other.split("|")])].join("|")
    : undefined;
}

/** The parts of a hook that an integration needs. */
export interface HookInForce {
  readonly events: readonly string[];
  readonly timeout: number;
  /** The tools it wants, as its matcher names them; all when absent. */
  readonly tools?: readonly string[];
  /** True when it has nothing to say about calls that change no file. */
  readonly only_changes?: true;
  /** The paths it wants, as its matcher names them. */
  readonly files?: readonly string[];
  /** True when it decides nothing: the agent need not be stopped when we can't be reached. */
  readonly observes?: true;
  /** True when it sends messages to agents that wait for their user. */
  readonly wakes?: true;
}

/** The settings file of an agent, as pure functions on its text. */
export interface AgentSettings {
  /**
   * The agent's events that these hooks need, and the events it never sends. AgentPrompt needs the events that show
   * that the agent waits for a human.
   */
  wanted(hooks: readonly HookInForce[]): {
    readonly events: readonly WantedEvent[];
    readonly never_sent: readonly string[];
  };
  /**
   * The text with our entries for exactly these events. Idempotent.
   *
   * @throws TenterhookError `settings_unreadable` with the line.
   */
  install(text: SettingsText, events: readonly WantedEvent[]): SettingsText;
  /** The text without our entries, byte for byte as it was before. */
  uninstall(text: SettingsText): SettingsText;
  installed(text: SettingsText): readonly string[];
  /** What our entries request, each event once; at least what `install` would write. */
  entered(text: SettingsText): readonly WantedEvent[];
  /** Our entries that differ from what `install` would write. */
  drifted(text: SettingsText, events: readonly WantedEvent[]): readonly Drifted[];
  /** Why the agent ignores the hooks of a text that we can read; `undefined` when it does not, as far as we know. */
  unread(text: SettingsText): Unread | undefined;
  /** The text without what keeps the agent from reading it: comments. */
  readable(text: SettingsText): SettingsText;
}

/** Why an agent ignores the hooks of a settings file. */
export interface Unread {
  /** A sentence with the line, without its full stop. */
  readonly why: string;
  /** True when `readable` makes the agent read it. */
  readonly strippable: boolean;
}

/** An entry of ours that is not as it should be. */
export interface Drifted {
  readonly native: string;
  /** True when something may pass a gate because of it. */
  readonly gate: boolean;
  /** True when the agent calls us for too few tools. */
  readonly narrow: boolean;
  readonly different: readonly string[];
}
