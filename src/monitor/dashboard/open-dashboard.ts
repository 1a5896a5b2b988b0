import type { Socket } from "node:net";
import { sqliteActivity } from "../../journal/activity/sqlite-activity.ts";
import type { MonitorStore } from "../../shared/monitor/monitor.ts";
import type { Answerer, Monitor } from "../monitor.ts";
import type { Standing } from "../person/standing.ts";
import { agentControl } from "./control.ts";
import { createLogins } from "./login.ts";
import type { News } from "./news.ts";
import type { Policy } from "./policy.ts";
import { dashboardReader } from "./read.ts";
import { type DashboardOptions, dashboardApp } from "./server.ts";

/** Who is at the other end of a connection from another machine is not seen: the token stands for a person. */
export function whoOfTeam(whoAnswers: Parts["whoAnswers"]): Parts["whoAnswers"] {
  return async (socket) => {
    const standing = await whoAnswers(socket);
    return standing.is === "asked" ? { is: "person", hasTerminal: false } : standing;
  };
}

interface Parts {
  readonly store: MonitorStore;
  readonly monitor: Pick<Monitor, "resolve" | "act">;
  readonly news: News;
  readonly policy: Policy | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly whoAnswers: (socket: Socket) => Promise<Standing>;
  readonly by: string;
  /** Signs logins. */
  readonly token: string;
  readonly problem: () => string | undefined;
  readonly onError: (error: unknown) => void;
}

/** The dashboard of a daemon: behind a login for browsers, and for programs that have the token. */
export function openDashboard({ store, monitor, news, token, by, problem, ...rest }: Parts) {
  const ending = new AbortController();
  let opened: ReturnType<typeof sqliteActivity> | undefined;
  const activity = (): ReturnType<typeof sqliteActivity> => {
    opened ??= sqliteActivity(rest.environment).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const logins = createLogins(token);
  const answerer: Answerer = { by, channel: "dashboard" };
  const options: DashboardOptions = {
    ...rest,
    news,
    reader: dashboardReader({ store, activity, problem }),
    control: agentControl(store, monitor),
    resolve: (id, choice, who) => monitor.resolve(id, choice, { ...answerer, ...who }),
    signal: ending.signal,
  };
  return {
    forBrowsers: dashboardApp({ ...options, logins }),
    /** For programs whose requests have shown the token. */
    forPrograms: dashboardApp(options),
    /** For people of a team, whose requests have shown a token of theirs. */
    forTeam: dashboardApp({ ...options, whoAnswers: whoOfTeam(rest.whoAnswers) }),
    /** The path of a link that logs in once. */
    link: () => `/login?code=${logins.code()}`,
    close: async () => {
      ending.abort();
      (await opened?.catch(() => undefined))?.close();
    },
  };
}
