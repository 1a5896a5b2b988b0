import { hostname } from "node:os";
import { isAbsolute } from "node:path";
import { capText } from "../../core/base/text.ts";
import { CALL_VERDICTS, type CallVerdict } from "../../journal/activity/call-columns.ts";
import type { CallQuery } from "../../journal/activity/calls.ts";
import { type FigureQuery, GROUPINGS, type Grouping } from "../../journal/activity/figures.ts";
import { SAID, type Said } from "../../journal/activity/said.ts";
import type { ActivityStore } from "../../journal/activity/sqlite-activity.ts";
import { PACKAGE_VERSION } from "../../node/package-version.ts";
import { dayOf } from "../../shared/day-of.ts";
import type { MonitorEvent } from "../../shared/monitor/events.ts";
import type { AgentStatus, MonitorStore, StateChange } from "../../shared/monitor/monitor.ts";
import { agentNames } from "../agent-name.ts";
import { agentView, agentViews, type LastCall } from "./agent-view.ts";
import { questionView } from "./question-view.ts";
import type {
  Access,
  ActivityView,
  Band,
  Bands,
  CallPage,
  CostView,
  Overview,
  QuestionView,
  SessionView,
  TurnView,
} from "./wire.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const HOUR_MILLISECONDS = 60 * 60 * 1000;
const USUAL_DAYS = 7;
/** What a page of a list has. */
const PAGE = 100;
const MOST_EVENTS = 2000;
const MOST_ANSWERED = 100;
const LONGEST_PROMPT = 300;

export interface Sources {
  readonly store: Pick<MonitorStore, "agents" | "decisions" | "states" | "eventsOf" | "used">;
  readonly activity: () => Promise<ActivityStore>;
  readonly problem: () => string | undefined;
}

export type Reader = ReturnType<typeof dashboardReader>;

/** What the page shows, read from the stores. Lists read no bodies. */
export function dashboardReader({ store, activity, problem }: Sources) {
  const lastCalls = async (agents: readonly AgentStatus[]): Promise<LastCall> => {
    const working = agents.filter(({ state }) => state === "working");
    const last = (await activity()).lists.lastCalls(working.flatMap(({ session_id }) => session_id ?? []));
    return (session) => last.get(session);
  };
  return {
    async overview(): Promise<Omit<Overview, keyof Access>> {
      const [agents, open] = await Promise.all([store.agents(), store.decisions("open")]);
      const names = agentNames(agents);
      const failure = problem();
      return {
        machine: hostname(),
        version: PACKAGE_VERSION,
        time: new Date().toISOString(),
        agents: agentViews(agents, new Set(open.map(({ agent_id }) => agent_id)), await lastCalls(agents)),
        open: open.map((one) => questionView(one, names, agents)).reverse(),
        problem: failure,
      };
    },
    async bands(hours: number): Promise<Bands> {
      const to = Date.now();
      const from = to - hours * HOUR_MILLISECONDS;
      const changes = await store.states(new Date(from).toISOString());
      return bandsOf(changes, agentNames(await store.agents()), from, to);
    },
    async answered(): Promise<readonly QuestionView[]> {
      const [agents, all] = await Promise.all([store.agents(), store.decisions("all", MOST_ANSWERED * 2)]);
      const names = agentNames(agents);
      const closed = all.filter(({ state }) => state !== "open").slice(0, MOST_ANSWERED);
      return closed.map((one) => questionView(one, names, agents));
    },
    async calls(query: Omit<CallQuery, "most">): Promise<CallPage> {
      const calls = (await activity()).lists.calls({ ...query, most: PAGE + 1 });
      const shown = calls.slice(0, PAGE);
      const last = shown.at(-1);
      return {
        calls: shown,
        ...(calls.length > PAGE && last !== undefined ? { next: `${last.time}.${last.seq}` } : {}),
      };
    },
    call: async (seq: number) => (await activity()).lists.call(seq),
    async session(id: string): Promise<SessionView> {
      const agents = await store.agents();
      const agent = agents.find(({ session_id }) => session_id === id);
      const names = agentNames(agents);
      const events = agent === undefined ? [] : await store.eventsOf(agent.agent_id, MOST_EVENTS);
      const open = (await store.decisions("open")).filter(({ session_id }) => session_id === id);
      return {
        id,
        ...(agent === undefined
          ? {}
          : {
              agent: agentView(agent, names.get(agent.agent_id) ?? agent.agent_id, await lastCalls([agent])),
            }),
        turns: turnsOf(events, id),
        numbers: (await activity()).lists.countsOf(id),
        open: open.map((one) => questionView(one, names, agents)).reverse(),
      };
    },
    async activity({ since, until, project, by }: ActivityWords): Promise<ActivityView> {
      const { figures, lists } = await activity();
      const query = { since, until, project };
      const hours = figures.hours(query);
      const sum = (of: "decisions" | "stopped" | "asked" | "runs" | "failures"): number =>
        hours.reduce((total, hour) => total + hour[of], 0);
      const pace = figures.pace(query);
      return {
        since: since.toISOString(),
        until: until.toISOString(),
        projects: lists.projects(),
        totals: {
          decisions: sum("decisions"),
          stopped: sum("stopped"),
          asked: sum("asked"),
          sessions: figures.sessions(query),
          runs: sum("runs"),
          failures: sum("failures"),
          pace,
        },
        hours,
        groups: figures.groups(by, query),
        costs: await costs(since, project),
      };
    },
    /** The folders of this machine that hooks have run in: what other machines report are names here, not folders. */
    ownProjects: async () => (await activity()).lists.projects().filter((name) => isAbsolute(name)),
    agentFolders: async () =>
      (await store.agents()).flatMap(({ machine, cwd }) => (machine === undefined ? (cwd ?? []) : [])),
  };

  /** What a session costs that nobody has a price for is left out, and so is the sum of its day. */
  async function costs(since: Date, project: string | undefined): Promise<readonly CostView[]> {
    const days = new Map<string, CostView>();
    for (const { day, cwd, tokens, cost_usd } of await store.used(dayOf(since.getTime()))) {
      if (project !== undefined && cwd !== project && !cwd.startsWith(`${project}/`)) continue;
      const { cost_usd: before, ...sum } = days.get(day) ?? { day, tokens: 0, cost_usd: 0 };
      const cost = before === undefined || cost_usd === undefined ? {} : { cost_usd: before + cost_usd };
      days.set(day, { day, tokens: sum.tokens + tokens, ...cost });
    }
    return [...days.values()].sort((one, other) => (one.day < other.day ? -1 : 1));
  }
}

/** The turns of a session, the newest first, from its events. Several events report a turn's usage; the last one counts. */
function turnsOf(events: readonly MonitorEvent[], session: string): readonly TurnView[] {
  const turns: TurnView[] = [];
  for (const event of [...events].reverse()) {
    if (event.session_id !== session) continue;
    const { new_turn, prompt, time, usage } = event;
    if (new_turn === true)
      turns.push({
        number: turns.length + 1,
        started: time,
        ...(prompt === undefined ? {} : { prompt: capText(prompt, LONGEST_PROMPT) }),
      });
    const last = turns.at(-1);
    if (last === undefined || usage === undefined) continue;
    const { total_tokens: tokens, cost_usd } = usage;
    turns[turns.length - 1] = {
      ...last,
      ...(typeof tokens === "number" ? { tokens } : {}),
      ...(typeof cost_usd === "number" ? { cost_usd } : {}),
    };
  }
  return turns.reverse();
}

export interface ActivityWords extends FigureQuery {
  readonly by: Grouping;
}

export const LONGEST_DAYS = 366;

/** Reads the words of an address: whole hours, a week up to now by default. */
export function activityWords({ days, from, to, project, by }: Words): ActivityWords {
  const now = Date.now();
  const whole = (time: number): Date => new Date(Math.floor(time / HOUR_MILLISECONDS) * HOUR_MILLISECONDS);
  const oldest = now - LONGEST_DAYS * DAY_MILLISECONDS;
  const begin = Number(from) || now - (Number(days) || USUAL_DAYS) * DAY_MILLISECONDS;
  const since = whole(Math.min(now, Math.max(begin, oldest)));
  const end = Number(to) ? whole(Number(to) + HOUR_MILLISECONDS - 1).getTime() : now;
  const until = new Date(Math.min(now, Math.max(end, since.getTime() + HOUR_MILLISECONDS)));
  return { since, until, project, by: GROUPINGS.find((one) => one === by) ?? "hook" };
}

type Words = Readonly<Record<string, string | undefined>>;

/** Reads the words of an address: what makes no sense is left out. */
export function callQuery(words: Words): Omit<CallQuery, "most"> {
  const { since, until, project, session, agent, hook, rule, said, verdict, before } = words;
  const [time, seq] = (before ?? "").split(".").map(Number);
  const verdicts = (verdict ?? "")
    .split(",")
    .filter((one): one is CallVerdict => CALL_VERDICTS.some((known) => known === one));
  return {
    since: new Date(Number(since) || 0),
    until: until === undefined ? undefined : new Date(Number(until) || 0),
    project,
    session,
    agent,
    hook,
    rule,
    said: said !== undefined && isSaid(said) ? said : undefined,
    verdicts: verdicts.length === 0 ? undefined : verdicts,
    before: time && seq ? { time, seq } : undefined,
  };
}

function isSaid(word: string): word is Said {
  return Object.hasOwn(SAID, word);
}

/** States over time: neighbours that are equal are one band, and what began before `from` begins there. */
export function bandsOf(
  changes: readonly StateChange[],
  names: ReadonlyMap<string, string>,
  from: number,
  to: number,
): Bands {
  const agents = new Map<string, Band[]>();
  for (const { agent_id, since, state, source } of changes) {
    const bands = agents.get(agent_id) ?? [];
    agents.set(agent_id, bands);
    const start = Math.max(from, Date.parse(since));
    const last = bands.at(-1);
    if (last !== undefined) bands[bands.length - 1] = { ...last, to: start };
    if (last?.state === state && last.source === source) bands[bands.length - 1] = { ...last, to };
    else bands.push({ state, source, from: start, to });
  }
  return {
    from,
    to,
    agents: [...agents].flatMap(([id, bands]) => {
      const shown = bands.filter((band) => band.to > band.from);
      const isOver = shown.every(({ state }) => state === "exited" || state === "gone");
      return isOver ? [] : [{ id, name: names.get(id) ?? id, bands: shown }];
    }),
  };
}
