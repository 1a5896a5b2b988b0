import {
  type Field,
  type Fields,
  field,
  neededField,
  type ObjectOf,
  schemas,
} from "../../core/base/schemas.ts";
import { notifyList } from "./channels.ts";
import { DECISION_SETTINGS } from "./decisions.ts";
import { HISTORY_SETTINGS } from "./history.ts";
import { atLeastOne, duration, wordsBut } from "./schemas.ts";
import {
  ACTIONS,
  type ActionName,
  actionsFor,
  ERROR_TYPES,
  RENAMED,
  REPEATED,
  type TriggerName,
  VALIDITY,
} from "./triggers.ts";

/** The keys of a trigger; `TRIGGER_KEYS` says which of them fit which action. */
export const TRIGGER_FIELDS = {
  message: field(schemas.text, "nudge, resume: what the agent reads."),
  append: field(schemas.boolean, "resume: the message is added to the task that the agent was given last."),
  run: field(schemas.text, "check: the command; exit code 0 is good."),
  timeout: field(duration, "check: how long the command has. Default 30."),
  wait: field(duration, "answer: how long a human has. Default 10m."),
  hidden_wait: field(
    duration,
    "answer: the same for an agent that shows no dialog of its own meanwhile, unless you are away (`tenterhook away`). Default 20s.",
  ),
  default: field(schemas.text, "answer: the answer when nobody gives one."),
  attempts: field(
    schemas.either("a whole number of 0 or more, or forever", schemas.count, schemas.word("forever")),
    "How often, until it escalates; a number or forever. Default 1.",
  ),
  cooldown: field(duration, "The time between two attempts. Default 60."),
  grace: field(duration, "on_idle: how long an agent does nothing before it is idle. Default 60."),
  error_types: field(
    schemas.filled(schemas.word(...ERROR_TYPES), `a list of ${ERROR_TYPES.join(", ")}`),
    "on_error: only these; other errors escalate.",
  ),
} as const satisfies Fields;

interface Fits {
  readonly actions: readonly ActionName[];
  /** Default: all that can have one of the actions. */
  readonly triggers?: readonly TriggerName[];
  /** True for a key that these actions can't do without. */
  readonly needed?: true;
}

/** Which keys fit which actions and triggers. */
export const TRIGGER_KEYS: Readonly<Record<keyof typeof TRIGGER_FIELDS, Fits>> = {
  message: { actions: ["nudge", "resume"] },
  append: { actions: ["resume"] },
  run: { actions: ["check"], needed: true },
  timeout: { actions: ["check"] },
  wait: { actions: ["answer"] },
  hidden_wait: { actions: ["answer"] },
  default: { actions: ["answer"] },
  attempts: { actions: REPEATED },
  // At a stop the agent waits for the answer.
  cooldown: { actions: REPEATED, triggers: ["on_idle", "on_dead", "on_error"] },
  grace: { actions: ACTIONS, triggers: ["on_idle"] },
  error_types: { actions: ACTIONS, triggers: ["on_error"] },
};

function trigger(name: TriggerName, docs: string) {
  const valid = wordsBut(
    actionsFor(name),
    Object.fromEntries([
      ...ACTIONS.map((action) => [action, VALIDITY[name][action]]),
      ...Object.entries(RENAMED).map(([old, now]) => [old, `it is called ${now} now`]),
    ]),
  );
  return field(
    schemas.either(
      `${valid.words.join(", ")}, or an object with one of them as action`,
      valid,
      schemas.object({ action: neededField(valid, "What the monitor does."), ...TRIGGER_FIELDS }),
    ),
    docs,
  );
}

const TRIGGER_SETTINGS = {
  on_prompt: trigger("on_prompt", "An agent asks something."),
  on_idle: trigger("on_idle", "An agent does nothing."),
  on_dead: trigger("on_dead", "An agent's process is gone."),
  on_error: trigger("on_error", "An agent hit an error."),
  on_stop: trigger("on_stop", "An agent is about to end its turn."),
} as const satisfies Readonly<Record<TriggerName, Field>>;

/** The keys of the section `monitor`. */
export const MONITOR_SETTINGS = {
  watch: field(
    schemas.boolean,
    "Whether agents that call Tenterhook report when they begin, work, wait and end, so that `tenterhook agents` shows them. Default true.",
  ),
  ...TRIGGER_SETTINGS,
  agents: field(
    schemas.map(schemas.object(TRIGGER_SETTINGS), "an object with triggers for each agent's name"),
    "Triggers of some agents only, by a pattern such as reviewer* for their names, the kind of a subagent that asks, or the name of their program, such as codex. The first pattern that fits and has the trigger wins over the triggers above.",
  ),
  max_concurrency: field(
    atLeastOne,
    "How many agents that `tenterhook run` and `tenterhook run` start work at the same time; another one waits for up to an hour. What an agent starts is part of it. Default: any number.",
  ),
  notify: field(notifyList, "Who is notified of decisions, and may answer them."),
  decisions: field(
    { ...schemas.object(DECISION_SETTINGS), renamed: RENAMED },
    "What happens when nobody answers, by what is asked.",
  ),
  database: field(
    schemas.text,
    "The address of a PostgreSQL database that several machines share, such as postgres://user@host/name. TENTERHOOK_DATABASE_URL wins over it; only in your own file.",
  ),
  history: field(schemas.object(HISTORY_SETTINGS), "How long the monitor remembers; only in your own file."),
} as const satisfies Fields;

/** The section `monitor` of a configuration. */
export type MonitorSettings = ObjectOf<typeof MONITOR_SETTINGS>;
