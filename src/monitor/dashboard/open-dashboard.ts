import { sqliteActivity } from "../../journal/activity/sqlite-activity.ts";
import type { MonitorStore } from "../../shared/monitor/monitor.ts";
import type { PersonCheck } from "../api/api.ts";
import { personByToken } from "../api/person.ts";
import type { Answerer, Monitor } from "../monitor.ts";
import type { Tokens } from "../team/tokens.ts";
import { agentControl } from "./control.ts";
import { createLogins } from "./login.ts";
import type { News } from "./news.ts";
import type { Policy } from "./policy.ts";
import { dashboardReader } from "./read.ts";
import { type DashboardOptions, dashboardApp } from "./server.ts";

interface Parts {
  readonly store: MonitorStore;
  readonly monitor: Pick<Monitor, "resolve" | "act">;
  readonly news: News;
  readonly policy: Policy | undefined;
  readonly environment: NodeJS.ProcessEnv;
  /** For requests that come through the daemon's socket. */
  readonly mustBePerson: PersonCheck;
  readonly by: string;
  readonly tokens: Tokens;
  readonly problem: () => string | undefined;
  readonly onError: (error: unknown) => void;
}

/** The dashboard of a daemon: behind a login for browsers, and for programs that have the token. */
export function openDashboard({ store, monitor, news, tokens, by, problem, ...rest }: Parts) {
  const ending = new AbortController();
  let opened: ReturnType<typeof sqliteActivity> | undefined;
  const activity = (): ReturnType<typeof sqliteActivity> => {
    opened ??= sqliteActivity(rest.environment).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const logins = createLogins(tokens);
  const answerer: Answerer = { by, channel: "dashboard" };
  const options: Omit<DashboardOptions, "login"> = {
    ...rest,
    news,
    reader: dashboardReader({ store, activity, problem }),
    control: agentControl(store, monitor),
    resolve: (id, choice, who) => monitor.resolve(id, choice, { ...answerer, ...who }),
    signal: ending.signal,
  };
  return {
    forBrowsers: dashboardApp({ ...options, login: "link", logins, mustBePerson: personByToken }),
    /** For programs whose requests have shown the token. */
    forPrograms: dashboardApp({ ...options, login: "none" }),
    /** For people of a team, whose requests have shown a token of theirs. */
    forTeam: dashboardApp({ ...options, login: "token", mustBePerson: personByToken }),
    /** The end of a link that logs in once. Browsers send the part after # to nobody. */
    link: () => `/#login=${logins.code()}`,
    close: async () => {
      ending.abort();
      (await opened?.catch(() => undefined))?.close();
    },
  };
}
