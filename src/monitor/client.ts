import { dirname } from "node:path";
import { errorMessage } from "../core/base/error-text.ts";
import { type ErrorCode, HINTS, TenterhookError } from "../core/base/errors.ts";
import { isRecord } from "../core/base/json.ts";
import { readOwnFile } from "../node/files/own-file.ts";
import { readUpTo, sendRequest } from "../node/http.ts";
import { startDeadline } from "../node/process/deadline.ts";
import { systemCode } from "../node/system-code.ts";
import type { AgentStatus, HumanRequest } from "../shared/monitor/monitor.ts";
import type { DaemonInfo } from "./daemon/api.ts";
import { MOST_DECISIONS } from "./decisions/find.ts";
import type { Choice } from "./decisions/resolve.ts";
import type { Standing } from "./person/standing.ts";
import { type DaemonPlace, daemonPlace, mustBeOwn } from "./report/daemon-place.ts";
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

async function send(
  { socket: socketPath, token }: DaemonPlace,
  method: "GET" | "POST",
  path: string,
  body: unknown,
): Promise<string> {
  mustBeOwn(dirname(socketPath));
  const deadline = startDeadline(new AbortController().signal, TIMEOUT_MILLISECONDS);
  try {
    const reply = await sendRequest({
      url: new URL(path, "http://localhost"),
      socketPath,
      method,
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${readOwnFile(token, 1000).text ?? ""}`,
      },
      signal: deadline.signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { bytes } = await readUpTo(reply, Number.POSITIVE_INFINITY);
    if (reply.statusCode === 200) return bytes.toString();
    throw errorIn(bytes.toString());
  } catch (cause) {
    if (cause instanceof TenterhookError) throw cause;
    const problem = deadline.passed() ? "it takes too long" : errorMessage(cause);
    const message = `The monitor's daemon does not answer at ${socketPath}: ${problem}.`;
    throw new TenterhookError("monitor_unreachable", message, { cause });
  } finally {
    deadline.end();
  }
}

function errorIn(text: string): Error {
  try {
    const { error }: Readonly<Record<string, unknown>> = JSON.parse(text);
    if (isRecord(error) && typeof error.message === "string")
      return new TenterhookError(isCode(error.code) ? error.code : "monitor_unreachable", error.message, {
        ...(typeof error.hint === "string" ? { hint: error.hint } : {}),
      });
  } catch {
    // Not the daemon's words.
  }
  return new TenterhookError("monitor_unreachable", `The monitor's daemon failed: ${text.slice(0, 200)}`);
}

function isCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(HINTS, code);
}
