import { hostname } from "node:os";
import { CALL_VERDICTS, type CallVerdict } from "../../journal/activity/call-columns.ts";
import type { CallQuery } from "../../journal/activity/calls.ts";
import type { ActivityStore } from "../../journal/activity/sqlite-activity.ts";
import { PACKAGE_VERSION } from "../../node/package-version.ts";
import { dayOf } from "../../shared/day-of.ts";
import type { AgentStatus, MonitorStore } from "../../shared/monitor/monitor.ts";
import { agentNames } from "../agent-name.ts";
import { agentView, agentViews, type LastCall } from "./agent-view.ts";
import { bandsOf } from "./bands.ts";
import { questionView } from "./question-view.ts";
import { turnsOf } from "./turns.ts";
import type { ActivityView, Bands, CallPage, CostView, Overview, QuestionView, SessionView } from "./wire.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const HOUR_MILLISECONDS = 60 * 60 * 1000;
/** What a page of a list has. */
const PAGE = 100;
const MOST_EVENTS = 2000;
const MOST_ANSWERED = 100;

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
    async overview(): Promise<Overview> {
      const [agents, open] = await Promise.all([store.agents(), store.decisions("open")]);
      const names = agentNames(agents);
      const failure = problem();
      return {
        machine: hostname(),
        version: PACKAGE_VERSION,
        time: new Date().toISOString(),
        agents: agentViews(agents, await lastCalls(agents)),
        open: open.map((one) => questionView(one, names, agents)).reverse(),
        ...(failure === undefined ? {} : { problem: failure }),
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
    async activity(days: number, project: string | undefined): Promise<ActivityView> {
      const opened = await activity();
      const since = new Date(Date.now() - days * DAY_MILLISECONDS);
      const stats = opened.stats({ since, project });
      const sum = (of: "decisions" | "stopped" | "asked"): number =>
        stats.days.reduce((total, day) => total + day[of], 0);
      return {
        since: stats.since.toISOString(),
        projects: opened.lists.projects(),
        totals: {
          decisions: sum("decisions"),
          stopped: sum("stopped"),
          asked: sum("asked"),
          sessions: stats.sessions,
          failures: stats.hooks.reduce((total, { failures }) => total + failures, 0),
        },
        hours: opened.lists.hours(since, project),
        hooks: stats.hooks,
        stops: opened.lists.hookHours(since, project),
        costs: await costs(since, project),
      };
    },
    projects: async () => (await activity()).lists.projects(),
    agentFolders: async () => (await store.agents()).flatMap(({ cwd }) => cwd ?? []),
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

/** Reads the words of an address: what makes no sense is left out. */
export function callQuery(words: Readonly<Record<string, string>>): Omit<CallQuery, "most"> {
  const { since, until, project, session, hook, verdict, before } = words;
  const [time, seq] = (before ?? "").split(".").map(Number);
  const verdicts = (verdict ?? "")
    .split(",")
    .filter((one): one is CallVerdict => CALL_VERDICTS.some((known) => known === one));
  return {
    since: new Date(Number(since) || 0),
    until: until === undefined ? undefined : new Date(Number(until) || 0),
    project,
    session,
    hook,
    verdicts: verdicts.length === 0 ? undefined : verdicts,
    before: time && seq ? { time, seq } : undefined,
  };
}
