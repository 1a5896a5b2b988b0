import { TenterhookError } from "../core/base/errors.ts";
import { withinTime } from "../node/process/deadline.ts";
import { systemCode } from "../node/system-code.ts";
import type { AgentStatus, HumanRequest } from "../shared/monitor/monitor.ts";
import type { DaemonInfo } from "./api/api.ts";
import { MOST_DECISIONS } from "./decisions/find.ts";
import type { Choice } from "./decisions/resolve.ts";
import type { SessionMessage } from "./decisions/waiters.ts";
import type { Standing } from "./person/standing.ts";
import { type DaemonPlace, daemonPlace } from "./report/daemon-place.ts";
import { requestDaemon, unreachable } from "./report/daemon-request.ts";
import type { NewToken, ShownToken } from "./team/tokens.ts";

/** Longer than the daemon waits for its database, and for a hook to take an answer on a busy machine. */
const TIMEOUT_MILLISECONDS = 30_000;

export type MonitorClient = ReturnType<typeof monitorClient>;

/**
 * The daemon, for the commands of its user. Every function throws TenterhookError `monitor_unreachable` when the daemon
 * does not answer, and the daemon's own errors.
 */
export function monitorClient(environment: NodeJS.ProcessEnv) {
  const place = daemonPlace(environment);
  // The daemon is this package, of the same version: its replies have the types that it gives them.
  const ask = <Reply>(method: "GET" | "POST", path: string, body?: unknown): Promise<Reply> =>
    send(place, method, path, body).then((reply): Reply => JSON.parse(reply));
  const decisionsAt = async (query: string): Promise<readonly HumanRequest[]> =>
    (await ask<{ decisions: readonly HumanRequest[] }>("GET", `/v1/decisions${query}`)).decisions;
  return {
    /** `undefined` when no daemon runs. */
    info: (): Promise<DaemonInfo | undefined> =>
      ask<DaemonInfo>("GET", "/v1/info").catch((error: unknown) => {
        if (error instanceof TenterhookError && ABSENT.has(systemCode(error.cause) ?? "")) return undefined;
        throw error;
      }),
    agents: async () => (await ask<{ agents: readonly AgentStatus[] }>("GET", "/v1/agents")).agents,
    decisions: (which: "open" | "all", most = MOST_DECISIONS) =>
      decisionsAt(`?${which === "all" ? "all&" : ""}most=${most}`),
    /** Those that a person can mean by the beginning of an id. */
    decisionsLike: (id: string) => decisionsAt(`?like=${encodeURIComponent(id)}`),
    resolve: async (id: string, choice: Choice) =>
      (
        await ask<{ decision: HumanRequest }>(
          "POST",
          `/v1/decisions/${encodeURIComponent(id)}/resolve`,
          choice,
        )
      ).decision,
    /** Has a running agent of ours given the message of an action, or of a person. False when it takes none now. */
    passMessage: async (action: string, message: SessionMessage) =>
      (await ask<{ taken: boolean }>("POST", `/v1/actions/${encodeURIComponent(action)}/message`, message))
        .taken,
    /** Whether this process may act in its user's name. */
    standing: () => ask<Standing>("POST", "/v1/standing"),
    /** The address of the dashboard, which logs a browser in once. */
    dashboard: async () => (await ask<{ url: string }>("POST", "/v1/dashboard")).url,
    stop: async () => void (await ask("POST", "/v1/stop")),
    tokens: async () => (await ask<{ tokens: readonly ShownToken[] }>("GET", "/v1/tokens")).tokens,
    createToken: (token: NewToken) =>
      ask<{ readonly token: string; readonly shown: ShownToken }>("POST", "/v1/tokens", token),
    revokeToken: async (id: string) =>
      (await ask<{ revoked: ShownToken }>("POST", `/v1/tokens/${encodeURIComponent(id)}/revoke`)).revoked,
  };
}

/** Nobody listens at the socket, or who listened has just ended. */
const ABSENT: ReadonlySet<string> = new Set(["ENOENT", "ECONNREFUSED", "ECONNRESET", "ENOTDIR"]);

function send(place: DaemonPlace, method: "GET" | "POST", path: string, body: unknown): Promise<string> {
  return withinTime(
    TIMEOUT_MILLISECONDS,
    new AbortController().signal,
    (signal) => requestDaemon(place, { method, path, body, signal }),
    (cause) => unreachable(place.socket, "it takes too long", cause),
  );
}
