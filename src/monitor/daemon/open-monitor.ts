import type { Socket } from "node:net";
import { Hono } from "hono";
import type { DatabaseAddress } from "../../node/postgres/address.ts";
import { homeFolder } from "../../node/user-folders.ts";
import { keptFor } from "../../shared/monitor/history.ts";
import type { AgentStatus, HumanRequest, MonitorStore } from "../../shared/monitor/monitor.ts";
import { onlyFromHere } from "../api/access.ts";
import { type Api, type ApiOptions, type DaemonInfo, daemonApi } from "../api/api.ts";
import { personAtSocket, personByToken, personElsewhere } from "../api/person.ts";
import type { MonitorContext } from "../context.ts";
import { createNews, tellingStore } from "../dashboard/news.ts";
import { openDashboard } from "../dashboard/open-dashboard.ts";
import type { Policy } from "../dashboard/policy.ts";
import { openIntake } from "../intake/intake.ts";
import { createMonitor } from "../monitor.ts";
import { createNotifier } from "../notify/notifier.ts";
import { sessionQuestions } from "../person/session-questions.ts";
import type { Ask } from "../report/ask.ts";
import { daemonPlace } from "../report/daemon-place.ts";
import { statusLines } from "../state/status-line.ts";
import { type Sharing, startSharing } from "../team/postgres/share.ts";
import { sharedRecords } from "../team/records.ts";
import { teamReporter } from "../team/reporter.ts";
import { heardMachines, silenceLooks } from "../team/silence.ts";
import { teamTokens } from "../team/tokens.ts";
import { every, type Look, startTick } from "../tick.ts";
import { triggerLooks } from "../triggers/watch-triggers.ts";
import { decisionLook, folderOf } from "./decision-look.ts";
import { historyLook } from "./history-look.ts";
import { needsProcess, processLooks } from "./liveness.ts";
import { failureText } from "./log-text.ts";
import { type EndedQuestions, parkedLooks } from "./parked-runs.ts";
import { whoAnswers } from "./peer.ts";
import { closeServer, listenAsBefore, serverOf } from "./server.ts";
import { reportRoutes } from "./team-reports.ts";
import { teamServer } from "./team-server.ts";

const FORGET_MILLISECONDS = 60_000;
const PARKED_MILLISECONDS = 3000;

/** What the monitor needs, and the daemon is started with. */
export interface MonitorOptions
  extends Pick<MonitorContext, "settingsFor" | "carryOut" | "environment" | "log"> {
  /** Finds out who is at the other end of a connection. Default: as the system says. */
  readonly whoAnswers?: typeof whoAnswers;
  /** The hooks of projects, for the dashboard. Without it, that shows none. */
  readonly policy?: Policy | undefined;
  /** The database that this machine's monitor shares with those of others; `name` is what it is called there. */
  readonly database?: { readonly address: DatabaseAddress; readonly name?: string } | undefined;
  /** Looks at runs of the fleet whose questions are open here. Without it, those stay open until they are answered here. */
  readonly endedQuestions?: EndedQuestions | undefined;
  /** How often it looks for what nobody reports. It looks at what is reported at once. */
  readonly lookMilliseconds?: number;
  /** How long an answer waits for a hook to take it before it counts as too late. */
  readonly takenMilliseconds?: number;
}

/** What a daemon says about itself whatever it can do. */
export type DaemonSelf = Pick<DaemonInfo, "pid" | "version" | "socket" | "started_at" | "started_by">;

/** What a daemon knows of itself. */
interface OwnFacts {
  readonly by: string;
  readonly daemon: DaemonSelf;
  readonly token: string;
  /** Has the port of the last daemon: an open page finds the next one there. */
  readonly portFile: string;
}

type About = Pick<DaemonInfo, "url" | "channels" | "problem" | "team" | "database">;

/** The part of a daemon that needs the database. */
export interface OpenMonitor {
  /** What the daemon answers; `stop` is for clients that may end it. */
  readonly api: (client: Pick<ApiOptions, "answerer" | "info" | "stop">) => Api;
  readonly about: () => About;
  readonly ask: Ask;
  /** Begins to look after agents: from then on, processes may ask the daemon what to do. */
  readonly start: () => void;
  /** Lets those go who wait for answers: they ask the next daemon. */
  readonly letGo: () => void;
  /** Whether somebody waits for something that only a daemon does. */
  readonly isNeeded: () => Promise<boolean>;
  /** What the machines and people of a team may ask for, each with a token; people only if nobody can read along. */
  readonly team: (signal: AbortSignal, isPrivate: boolean) => Api;
}

/**
 * Takes in what hooks report, answers clients at a loopback address, notifies, and acts for agents.
 *
 * @param opened gets what has to be closed, the last first.
 * @throws the system's error.
 */
export async function openMonitor(
  opening: MonitorStore,
  options: MonitorOptions,
  { by, daemon, token, portFile }: OwnFacts,
  opened: (() => unknown)[],
): Promise<OpenMonitor> {
  const { settingsFor, environment, log, lookMilliseconds, policy, database, endedQuestions } = options;
  const { whoAnswers: look = whoAnswers } = options;
  const onError = (error: unknown): void => log(failureText(error));
  const news = createNews();
  const store = tellingStore(opening, news);
  opened.push(() => store.close());
  const monitor = createMonitor(store, options.takenMilliseconds);
  const intake = await openIntake(store, environment, onError);
  const { drain, problem } = intake;
  opened.push(drain);
  const context: MonitorContext = { ...options, store, monitor, drain, onError };
  let sharing: Sharing | undefined;
  // What tokens are used for is no news.
  const tokens = teamTokens(opening, async (machine) =>
    sharing === undefined ? machine.name : sharing.nameFor(machine),
  );
  const heard = heardMachines();
  const targetsFor = async (decision: HumanRequest) =>
    (await settingsFor(folderOf(decision, environment))).notify ?? [];
  const notifier = createNotifier({ ...context, secret: token, targetsFor });
  const reporter = teamReporter(context, lookMilliseconds);
  let port = 0;
  const about = (): About => ({
    url: `http://127.0.0.1:${port}`,
    channels: notifier.channels(),
    problem: problem(),
    team: reporter.status(),
    database: sharing?.status(),
  });
  // What was reported before somebody asks about it is known.
  const ask: Ask = async (asked, signal) => {
    await drain();
    return monitor.ask(asked, signal);
  };
  const askAlone: Ask = (asked, signal) =>
    ask(asked, signal).catch(async (error: unknown) => {
      if (!signal.aborted) throw error;
      // It may have said why it ends.
      await drain();
      await monitor.withdraw(asked);
      return { end: "closed" };
    });
  const withAnswer = sessionQuestions(store);
  const standing = async (socket: Socket) => withAnswer(await look(socket, await monitor.agents()));
  const mustBePerson = personAtSocket(standing);
  const dashboard = openDashboard({ ...context, news, policy, by, tokens, problem, mustBePerson });
  const api: OpenMonitor["api"] = (client) =>
    daemonApi({
      ...{ monitor, drain, onError, token },
      ...(client.stop === undefined
        ? { mustBePerson: personElsewhere(daemon.socket) }
        : {
            ...{ mustBePerson, standing, tokens, waiting: { ...monitor, ask: askAlone } },
            dashboard: { app: dashboard.forPrograms, link: () => `${about().url}${dashboard.link()}` },
          }),
      ...client,
    });
  const guarded: Api = new Hono();
  const forPrograms = api({ answerer: { by, channel: "http" }, info: () => ({ ...daemon, ...about() }) });
  guarded.use(onlyFromHere(() => port));
  guarded.all("*", ({ req, env }) =>
    (req.path.startsWith("/v1/") ? forPrograms : dashboard.forBrowsers).fetch(req.raw, env),
  );
  const remote = serverOf(guarded, onError);
  opened.push(() => closeServer(remote), dashboard.close);
  port = await listenAsBefore(remote, portFile);
  await drain();
  await monitor.settleAnswers();
  sharing =
    database && startSharing({ ...context, tokens, heard, milliseconds: lookMilliseconds, ...database });
  const kept = async () => keptFor((await settingsFor(homeFolder(environment))).history);
  const isHeard = (): boolean => sharing !== undefined || reporter.status() !== undefined;
  const share = sharedRecords({ store, file: daemonPlace(environment).database, isHeard });
  const history = historyLook(context, kept, share);
  const lines = statusLines(environment);
  const forget: Look = async () => {
    lines.tidy();
    await store.forget(await kept());
  };
  const parked = endedQuestions === undefined ? [] : [parkedLooks(monitor, endedQuestions, onError)];
  const agents: readonly Look[] = [
    drain,
    processLooks(monitor, drain, lines),
    triggerLooks(context),
    await decisionLook(context, notifier),
    silenceLooks(monitor, heard.heardAt),
  ];
  const rare = [every(FORGET_MILLISECONDS, forget), ...parked.map((one) => every(PARKED_MILLISECONDS, one))];
  opened.push(notifier.close, () => sharing?.close(), history.close, reporter.close);
  const start = (): void => {
    const all = [agents, [reporter.look], [history.look], ...rare.map((one) => [one])];
    opened.push(startTick(all, onError, lookMilliseconds).close, () => {
      history.stop();
      reporter.stop();
    });
  };
  const isNeeded = async (): Promise<boolean> => {
    if (news.listeners() > 0) return true;
    await drain();
    if ((await reporter.hasUnsent()) || (await sharing?.hasUnsent()) === true) return true;
    const agents = await monitor.agents();
    // A process that has gone is reported within a second.
    const hasProcess = (agent: AgentStatus) => agent.pid !== undefined && needsProcess(agent);
    if (agents.some((agent) => agent.pending !== undefined || hasProcess(agent))) return true;
    return (await monitor.decisions("open")).length > 0;
  };
  const team: OpenMonitor["team"] = (signal, isPrivate) => {
    const reports = reportRoutes({ store, tokens, news, onError, onHeard: heard.hear, signal });
    const answerer = { by: "team", channel: "http" } as const;
    const forTeam = daemonApi({
      ...{ monitor, drain, onError, answerer, mustBePerson: personByToken },
      info: () => ({ ...daemon, ...about() }),
    });
    return teamServer({ tokens, isPrivate, reports, api: forTeam, dashboard: dashboard.forTeam, onError });
  };
  return { api, about, ask, start, letGo: monitor.close, isNeeded, team };
}
