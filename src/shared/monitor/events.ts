import { isRecord } from "../../core/base/json.ts";
import { issuesIn, type Schema, schemas, type ValueOf } from "../../core/base/schemas.ts";
import { PROMPT_TYPES } from "../../core/contracts/questions.ts";
import { ACTIONS, TRIGGERS } from "./triggers.ts";

/**
 * Where a state is known from. `hook`: the agent or what started it said so. `transcript`: its own record says so.
 * `inferred`: from the growth of a file, or from the life of a process.
 */
export const STATE_SOURCES = ["hook", "transcript", "inferred"] as const;
export type StateSource = (typeof STATE_SOURCES)[number];

const { string, number, anything } = schemas;
const flag = schemas.word(true);
const whole = { is: "number", whole: true, must: "a whole number" } as const;
const record = schemas.map(anything, "an object");
const strings = schemas.list(string, "a list of strings");
const need = <K extends Schema>(schema: K) => ({ schema, docs: "", required: true }) as const;
const may = <K extends Schema>(schema: K) => ({ schema, docs: "" }) as const;

/** What events may say. A field means the same wherever it stands, but for `prompt`, `source` and `signal`. */
const FIELDS = {
  session_id: string,
  cwd: string,
  host: string,
  machine: string,
  /** True for what this machine makes of another one's agent, for its own lists. */
  only_here: flag,
  state_source: schemas.word(...STATE_SOURCES),
  shortened: flag,
  /** The process that reported it, and those above. */
  from: schemas.object({ machine: may(string), processes: may(strings) }),
  pid: whole,
  agent_pid: whole,
  agent_process: schemas.object({
    host: need(string),
    machine: need(string),
    started: may(string),
    is_editor: may(flag),
  }),
  agent_args: strings,
  transcript_path: string,
  output_path: string,
  fleet: flag,
  usage: record,
  /** What made the agent go on, when it was no human. */
  woken_by: string,
  worked: flag,
  new_turn: flag,
  kept_going: flag,
  /** The task that an agent was given, or the prompt that an event is about. */
  prompt: string,
  prompt_type: schemas.word(...PROMPT_TYPES),
  question: anything,
  context: string,
  message: string,
  waits_until: string,
  /** The digest of the key of the process that waits for an answer. */
  asker: string,
  call_key: string,
  tool_use_id: string,
  subagent: string,
  hidden: flag,
  only_at_terminal: flag,
  suspended: flag,
  in_memory: flag,
  editable: flag,
  call: schemas.object({ tool_use_id: need(string), ask: may(number), subagent_id: may(string) }),
  answer: anything,
  by: string,
  channel: string,
  at: string,
  given_at: string,
  taken: flag,
  continues: flag,
  result: schemas.word("ran", "failed", "refused"),
  answers: record,
  source: string,
  because: string,
  turn_id: string,
  begins_turn: flag,
  waits_for: string,
  error_type: string,
  error_message: string,
  error_status: number,
  exit_code: whole,
  exit_signal: string,
  last_output: string,
  no_news_since: string,
  said: record,
  signal: string,
  trigger: schemas.word(...TRIGGERS),
  action: schemas.word(...ACTIONS),
  attempt: number,
  in_hook: flag,
  run: string,
  timeout: number,
  asked: flag,
  decision: string,
  check_of: schemas.word(...TRIGGERS),
  why: string,
  action_id: string,
  ok: schemas.boolean,
  moot: flag,
  route: string,
  stderr: string,
  record: anything,
  project: string,
} as const satisfies Readonly<Record<string, Schema>>;

export type EventField = keyof typeof FIELDS;

/** What means something only on the machine that has reported it. */
export const LOCAL_FIELDS = [
  ...["agent_pid", "agent_process", "agent_args", "from", "transcript_path", "output_path", "only_here"],
] as const satisfies readonly EventField[];

/** What any event may say about its agent. */
const COMMON = [
  ...["session_id", "cwd", "host", "machine", "only_here", "state_source", "shortened", "from", "pid"],
  ...["agent_pid", "agent_process", "agent_args", "transcript_path", "output_path", "fleet", "usage"],
  ...["woken_by", "worked", "new_turn", "kept_going"],
] as const satisfies readonly EventField[];

const ANSWERED = ["prompt", "by", "channel"] as const;
const DONE = [
  "trigger",
  "action",
  "run",
  "timeout",
  "check_of",
  "source",
  "asked",
  "why",
  "context",
] as const;

/** The one table of events: what each may say besides. `src/monitor/state/transitions.ts` says what they do. */
const EVENTS = {
  "agent:launched": [],
  "agent:start": ["source"],
  "agent:turn": ["prompt", "asker"],
  "agent:went_on": ["call_key", "result", "answers"],
  "agent:result": ["call_key", "result"],
  "agent:answer": [...ANSWERED, "answer", "at", "given_at", "taken", "continues"],
  "agent:grew": [],
  "agent:stop_blocked": ["turn_id", "begins_turn"],
  "agent:delegated": ["waits_for"],
  "agent:prompt": [
    ...["prompt_type", "question", "context", "message", "waits_until", "asker", "call_key", "tool_use_id"],
    ...["subagent", "hidden", "only_at_terminal", "suspended", "in_memory", "editable", "call"],
  ],
  "agent:waits": ["prompt", "waits_until"],
  "agent:wait_over": ANSWERED,
  "agent:stopped": ["because", "turn_id", "begins_turn"],
  "agent:interrupted": [...ANSWERED, "because"],
  "agent:idle": ["message"],
  "agent:error": ["error_type", "error_message", "error_status", "message"],
  "agent:exit": ["exit_code", "exit_signal", "last_output"],
  "agent:gone": ["signal", "last_output"],
  "agent:compacted": [],
  "agent:quiet": ["no_news_since"],
  "agent:news": [],
  "agent:dismissed": [],
  "agent:said": ["said"],
  "agent:signal": ["signal", "message"],
  "agent:action": [...DONE, "attempt", "in_hook", "message", "answer", "decision", "exit_code", "stderr"],
  "agent:action_ended": [...DONE, "action_id", "ok", "moot", "route", "exit_code", "stderr"],
  "hooks:recorded": ["record", "project"],
} as const satisfies Readonly<Record<string, readonly EventField[]>>;

export type EventType = keyof typeof EVENTS;

/** What identifies an event. */
interface EventHead {
  readonly v: 1;
  /** Unique, so that an event that is read twice counts once. */
  readonly id: string;
  readonly time: string;
  readonly agent_id: string;
}

type Values = { readonly [Name in EventField]: ValueOf<(typeof FIELDS)[Name]> };
type FieldOf<Type extends EventType> = (typeof COMMON)[number] | (typeof EVENTS)[Type][number];
type EventOf<Type extends EventType> = EventHead & { readonly type: Type } & {
  readonly [Name in EventField]?: Name extends FieldOf<Type> ? Values[Name] : undefined;
};

/** Something that happened to an agent, as hooks report it to the monitor. Never changes once it is written. */
export type MonitorEvent = { [Type in EventType]: EventOf<Type> }[EventType];

/** What an event says, before it is read: by field, of any value. */
export type SaidFields = { readonly [Name in EventField]?: unknown };

const ALLOWED: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(EVENTS).map(([type, own]) => [type, new Set<string>([...COMMON, ...own])]),
);
const SCHEMAS: Readonly<Record<string, Schema>> = FIELDS;

/** Ids are names of files, too. */
const ID = /^[A-Za-z0-9][\w.-]{0,199}$/;

/** Reads an event and drops fields that its type does not have; `undefined` if it is not an event. */
export function readEvent(value: unknown): MonitorEvent | undefined {
  if (!isRecord(value)) return undefined;
  const { v, id, time, type, agent_id } = value;
  if (v !== 1 || typeof id !== "string" || !ID.test(id)) return undefined;
  if (typeof time !== "string" || typeof agent_id !== "string") return undefined;
  return isEventType(type) ? eventOf({ v, id, time, agent_id, type }, value) : undefined;
}

function isEventType(type: unknown): type is EventType {
  return typeof type === "string" && ALLOWED.has(type);
}

type Head = EventHead & { readonly type: EventType };

/** An event of what is known to be one: without the fields that it can't have, or whose values mean nothing. */
export function eventOf(head: Head, fields: SaidFields): MonitorEvent;
export function eventOf(head: Head, fields: Readonly<Record<string, unknown>>): object {
  const allowed = ALLOWED.get(head.type);
  const said = Object.entries(fields).filter(([name, value]) => {
    const schema = allowed?.has(name) === true ? SCHEMAS[name] : undefined;
    return schema !== undefined && value !== undefined && issuesIn(value, schema).length === 0;
  });
  return { ...head, ...Object.fromEntries(said) };
}
