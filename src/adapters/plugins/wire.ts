/*
 * What a plug-in file and `tenterhook hook` say to each other. The plug-in gathers the fields of our events itself, so
 * that both sides stay small.
 */

/** What `install` writes into a plug-in file. */
export interface PluginSettings {
  /** The agent whose plug-in it is. */
  readonly agent: string;
  /** Our program with its arguments. A program that begins with a dot is found from the plug-in file. */
  readonly command: string;
  /** The events to ask about, by the agent's names. */
  readonly events: Readonly<Record<string, PluginEvent>>;
}

export interface PluginEvent {
  /** How long to wait for an answer. */
  readonly seconds: number;
  /** An expression for the names of the tools to ask about; all when absent. */
  readonly tools?: string;
}

/** The answer of `tenterhook hook` to a plug-in. */
export interface PluginReply {
  readonly allow?: true;
  /** Refuse, for this reason. */
  readonly deny?: string;
  /** Ask the user, for this reason. */
  readonly ask?: string;
  /** The whole input of the call, rewritten. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** The result of the call, rewritten. */
  readonly output?: unknown;
  readonly prompt?: string;
  /** Text for the model. */
  readonly context?: string;
  /** The agent's next input: it must not stop. */
  readonly keep_going?: string;
  /** End the run, for this reason. */
  readonly end?: string;
  /** What the user is to read. */
  readonly messages?: readonly string[];
}

/** The field of a payload that names the agent of the plug-in. */
export const PLUGIN_FIELD = "plugin";
