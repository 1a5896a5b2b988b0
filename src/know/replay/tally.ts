import { isRecord, withoutUndefined } from "../../core/base/json.ts";
import { capText } from "../../core/base/text.ts";
import type { Redactor } from "../../node/records/redact.ts";
import type {
  Because,
  Compared,
  HookTally,
  ReplayedCall,
  ReplayView,
  Verdict,
  Would,
} from "../../shared/replay.ts";
import type { Judged } from "./judged.ts";
import type { Unreadable } from "./read-session.ts";

/** With the folder, which pages do not need. */
export interface ChangedCall extends ReplayedCall {
  readonly cwd?: string;
}

export interface Replay extends ReplayView {
  /** The first of them. */
  readonly unreadable_places: readonly Unreadable[];
  readonly changed: readonly ChangedCall[];
}

export interface Counted {
  readonly agent: string;
  readonly session_id: string;
  readonly at?: string;
  readonly event: Readonly<Record<string, unknown>>;
  readonly recorded?: ChangedCall["recorded"];
  readonly judged: Judged;
  readonly against?: Judged;
}

const MOST_CHANGED = 50_000;
const MOST_PLACES = 100;
/** How many different commands are counted at once; then the rare ones are forgotten. */
const MOST_COMMANDS = 10_000;
const SHOWN_COMMANDS = 20;
const LONGEST_TEXT = 2000;

/** Counts what a replay finds, in memory that does not grow with what is replayed. */
export class Tally {
  private readonly sessions = new Set<string>();
  private readonly deniedSessions = new Set<string>();
  private readonly agents = new Set<string>();
  private readonly would: Record<Would, number> = { deny: 0, ask: 0, rewrite: 0, same: 0 };
  private readonly hooks = new Map<string, Record<"deny" | "ask" | "rewrite", number> & Because>();
  private readonly changed: ChangedCall[] = [];
  private readonly compared: Record<Compared, number> = {
    newly_stopped: 0,
    newly_let_through: 0,
    other_reason: 0,
  };
  private readonly commands = new Map<string, number>();
  private readonly silent = new Map<string, number>();
  private readonly places: Unreadable[] = [];
  private unreadable = 0;
  private leftOut = 0;
  private from: string | undefined = undefined;
  private until: string | undefined = undefined;
  private readonly redactor: Redactor;
  private readonly isCompared: boolean;

  constructor(redactor: Redactor, isCompared: boolean) {
    this.redactor = redactor;
    this.isCompared = isCompared;
  }

  get events(): number {
    const { deny, ask, rewrite, same } = this.would;
    return deny + ask + rewrite + same;
  }

  cannotRead(place: Unreadable): void {
    this.unreadable += 1;
    if (this.places.length < MOST_PLACES) this.places.push(place);
  }

  add(counted: Counted): void {
    const { agent, session_id, at, event, recorded, judged, against } = counted;
    const session = `${agent} ${session_id}`;
    this.sessions.add(session);
    this.agents.add(agent);
    if (at !== undefined) {
      if (this.from === undefined || at < this.from) this.from = at;
      if (this.until === undefined || at > this.until) this.until = at;
    }
    for (const name of judged.not_evaluated) this.silent.set(name, (this.silent.get(name) ?? 0) + 1);
    const isAsBefore =
      recorded !== undefined && recorded.action === judged.action && judged.would !== "rewrite";
    const would = isAsBefore ? "same" : judged.would;
    this.would[would] += 1;
    if (would !== "same") {
      if (would === "deny") this.deniedSessions.add(session);
      for (const because of judged.because) this.countHook(because, would);
    }
    if (!judged.is_judged) this.countCommand(event);
    const compared = against === undefined ? undefined : comparedOf(judged, against);
    if (compared !== undefined) this.compared[compared] += 1;
    const isChanged = this.isCompared
      ? compared !== undefined
      : would !== "same" || isLetThrough(judged, recorded);
    if (!isChanged) return;
    if (this.changed.length < MOST_CHANGED) this.changed.push(this.changedCall(counted));
    else this.leftOut += 1;
  }

  result(): Replay {
    const { sessions, deniedSessions, agents, events, unreadable, places, would, changed, leftOut } = this;
    const total = (one: HookTally): number => one.deny + one.ask + one.rewrite;
    const clean = (text: string): string => this.redactor.text(text);
    return {
      sessions: sessions.size,
      denied_sessions: deniedSessions.size,
      agents: [...agents],
      events,
      unreadable,
      unreadable_places: places,
      would: { ...would },
      by_hook: [...this.hooks.values()].map((one) => ({ ...one })).sort((a, b) => total(b) - total(a)),
      changed: [...changed].sort((a, b) => compareText(a.at ?? "", b.at ?? "")),
      left_out: leftOut,
      ...(this.isCompared ? { against: { ...this.compared } } : {}),
      unjudged: [...this.commands]
        .sort(([, a], [, b]) => b - a)
        .slice(0, SHOWN_COMMANDS)
        .map(([command, calls]) => ({ command: clean(command), calls })),
      not_evaluated: [...this.silent].map(([hook, count]) => ({ hook, events: count })),
      from: this.from,
      until: this.until,
    };
  }

  private countHook(because: Because, would: "deny" | "ask" | "rewrite"): void {
    const key = `${because.hook}\n${because.rule ?? ""}`;
    const tally = this.hooks.get(key) ?? { ...because, deny: 0, ask: 0, rewrite: 0 };
    tally[would] += 1;
    this.hooks.set(key, tally);
  }

  private countCommand({ tool_input }: Counted["event"]): void {
    const { command } = isRecord(tool_input) ? tool_input : {};
    if (typeof command !== "string") return;
    const short = capText(command, LONGEST_TEXT);
    this.commands.set(short, (this.commands.get(short) ?? 0) + 1);
    if (this.commands.size <= MOST_COMMANDS) return;
    const frequent = [...this.commands].sort(([, a], [, b]) => b - a).slice(0, MOST_COMMANDS / 2);
    this.commands.clear();
    for (const [one, calls] of frequent) this.commands.set(one, calls);
  }

  private changedCall({ agent, session_id, at, event, recorded, judged, against }: Counted): ChangedCall {
    const { hook_event_name, tool_name, tool_input, prompt, last_assistant_message, cwd } = event;
    const input = tool_input ?? withoutUndefined({ prompt, last_assistant_message });
    return {
      agent,
      session: session_id,
      at,
      ...(typeof cwd === "string" ? { cwd: this.redactor.text(cwd) } : {}),
      tool_name: String(tool_name ?? hook_event_name),
      tool_input: this.redactor.value(shortened(input)),
      recorded,
      now: this.verdictOf(judged),
      ...(against === undefined ? {} : { against: this.verdictOf(against) }),
    };
  }

  private verdictOf({ would, action, because, reason }: Judged): Verdict {
    const [first] = because;
    return {
      action: would === "rewrite" ? "rewrite" : action,
      ...first,
      ...(reason === undefined ? {} : { reason: this.redactor.text(capText(reason, LONGEST_TEXT)) }),
    };
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const STOPS: Readonly<Record<Would, number>> = { deny: 2, ask: 1, rewrite: 0, same: 0 };

/** `undefined` when both do the same for the same reason. */
function comparedOf(now: Judged, before: Judged): Compared | undefined {
  if (STOPS[now.would] > STOPS[before.would]) return "newly_stopped";
  if (STOPS[now.would] < STOPS[before.would]) return "newly_let_through";
  return now.would !== before.would || now.reason !== before.reason ? "other_reason" : undefined;
}

/** True for what was refused then and would not be now. */
function isLetThrough({ would }: Judged, recorded: ChangedCall["recorded"]): boolean {
  return would === "same" && (recorded?.action === "deny" || recorded?.action === "ask");
}

/** A JSON value whose texts are not longer than a report can show. */
function shortened(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return capText(value, LONGEST_TEXT);
  if (typeof value !== "object" || value === null) return value;
  if (depth > 8) return "…";
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => shortened(item, depth + 1));
  const entries = Object.entries(value).slice(0, 50);
  return Object.fromEntries(entries.map(([key, item]) => [key, shortened(item, depth + 1)]));
}
