import type { SettingsText } from "./settings-json.ts";

/** An event for which an agent is to call us. */
export interface WantedEvent {
  /** As the agent calls it. */
  readonly native: string;
  /** Seconds after which the agent may give up on us: longer than all our own deadlines together. */
  readonly timeout: number;
  /** The agent must refuse when we can't be run. */
  readonly gate: boolean;
  /** The agent needs to call us only for these tools, in its own words. */
  readonly matcher?: string;
}

/** What several folders need of one settings file: every event of each, for all tools that one of them needs. */
export function joinedEvents(
  some: readonly WantedEvent[],
  others: readonly WantedEvent[],
): readonly WantedEvent[] {
  const joined = new Map<string, WantedEvent>();
  for (const event of [...some, ...others]) {
    const known = joined.get(event.native) ?? event;
    const { native, matcher } = event;
    joined.set(native, {
      native,
      timeout: Math.max(known.timeout, event.timeout),
      gate: known.gate || event.gate,
      ...(matcher === undefined || matcher !== known.matcher ? {} : { matcher }),
    });
  }
  return [...joined.values()];
}

/** A hook as far as a bridge needs to know it. */
export interface HookInForce {
  readonly events: readonly string[];
  /** Seconds. */
  readonly timeout: number;
}

/** The settings file of an agent, as pure functions on its text. */
export interface AgentSettings {
  /**
   * The events of this agent that these hooks need, and the ones it never sends. AgentPrompt needs those by which the
   * agent shows that it waits for a human.
   */
  wanted(hooks: readonly HookInForce[]): {
    readonly events: readonly WantedEvent[];
    readonly never_sent: readonly string[];
  };
  /**
   * The text with our entries for exactly these events. Doing it again changes nothing.
   *
   * @throws TenterhookError `settings_unreadable` with the line.
   */
  install(text: SettingsText, events: readonly WantedEvent[]): SettingsText;
  /** The text without our entries: what it was before, to the byte. */
  uninstall(text: SettingsText): SettingsText;
  /** The events we are entered for. */
  installed(text: SettingsText): readonly string[];
  /** What our entries ask for, each event once; as much as `install` would write where an entry says less. */
  entered(text: SettingsText): readonly WantedEvent[];
  /** The entries that are there and not as `install` would write them. */
  drifted(text: SettingsText, events: readonly WantedEvent[]): readonly Drifted[];
  /** Why the agent takes no hook from a text that we can read; `undefined` when, as far as we know, it does. */
  unread(text: SettingsText): Unread | undefined;
  /** The text without what keeps the agent from reading it: comments. */
  readable(text: SettingsText): SettingsText;
}

/** Why an agent takes no hook from a settings file. */
export interface Unread {
  /** A sentence with the line, without its full stop. */
  readonly why: string;
  /** `readable` makes it a text from which the agent does. */
  readonly strippable: boolean;
}

/** An entry of ours that is not as it should be. */
export interface Drifted {
  readonly native: string;
  readonly gate: boolean;
  /** The keys that say something else. */
  readonly different: readonly string[];
}

/** The one command that stands in every agent's file. Agents that read each other's files drop equal ones. */
export const HOOK_COMMAND = "tenterhook hook";
