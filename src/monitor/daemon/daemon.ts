import { chmodSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { errorMessage } from "../../core/base/error-text.ts";
import { isTenterhookError, TenterhookError } from "../../core/base/errors.ts";
import { writeAtomically } from "../../node/files/atomic-write.ts";
import { claimFile } from "../../node/files/claim-file.ts";
import { makePrivateFolder } from "../../node/files/folders.ts";
import { userName } from "../../node/identity/user-name.ts";
import { PACKAGE_VERSION } from "../../node/package-version.ts";
import { systemCode } from "../../node/system-code.ts";
import type { CallServer } from "../../shared/monitor/call-server.ts";
import type { MonitorStore } from "../../shared/monitor/monitor.ts";
import { tokenIn } from "../api/access.ts";
import { type DaemonInfo, daemonApi } from "../api/api.ts";
import { personByToken } from "../api/person.ts";
import type { Ask } from "../report/ask.ts";
import { type DaemonPlace, daemonPlace, mustBeOwn } from "../report/daemon-place.ts";
import { failureText } from "./log-text.ts";
import { type DaemonSelf, type MonitorOptions, type OpenMonitor, openMonitor } from "./open-monitor.ts";
import { closeServer, listening, portOf, serverOf, type Tls, teamServerOf } from "./server.ts";

export interface DaemonOptions extends MonitorOptions {
  readonly openStore: (file: string) => Promise<MonitorStore>;
  /** Decides calls of hooks at a socket; `onReplaced` is for a program that was installed again. Without it, none are. */
  readonly serveCalls?: (socket: string, onReplaced: () => void, ask: Ask) => Promise<CallServer>;
  /** Where machines and people of a team reach it. Default: nowhere. */
  readonly serve?:
    | {
        readonly host: string;
        readonly port: number;
        /** Its certificate, or that a server with one is in front of it. */
        readonly tls?: Tls | "proxy" | undefined;
      }
    | undefined;
  /** How long nobody has to need the daemon before it ends. Default: it stays. */
  readonly idleMilliseconds?: number | undefined;
}

export interface Daemon {
  readonly info: DaemonInfo;
  /** Resolves when somebody asked it to stop. */
  readonly stopRequested: Promise<void>;
  close(): Promise<void>;
}

/**
 * Runs the daemon in this process: takes in what hooks report, and answers clients on a socket and a loopback address.
 *
 * @throws TenterhookError `monitor_unreachable` when this user has a running one; `store_failed`.
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { environment } = options;
  const place = daemonPlace(environment);
  makePrivateFolder(place.folder);
  makePrivateFolder(dirname(place.socket));
  mustBeOwn(dirname(place.socket));
  const claim = claimFile(place.lock);
  if (claim === undefined)
    throw new TenterhookError("monitor_unreachable", "Another process is the monitor's daemon.", {
      hint: "tenterhook daemon status shows it.",
    });
  const opened: (() => unknown)[] = [() => claim.release()];
  const closeAll = async (): Promise<void> => {
    for (const close of opened.splice(0).reverse()) await close();
  };
  try {
    return await openDaemon(options, place, opened, closeAll);
  } catch (error) {
    await closeAll();
    throw systemCode(error) === "ENOSPC" ? noRoom(place.folder, error) : error;
  }
}

function noRoom(folder: string, cause: unknown): TenterhookError {
  return new TenterhookError("store_failed", `${folder} can't be written: ${errorMessage(cause)}.`, {
    hint: "Make room on the disk, then try again.",
    cause,
  });
}

function unopened(database: string, cause: unknown): TenterhookError {
  return new TenterhookError("store_failed", `${database} can't be opened: ${errorMessage(cause)}.`, {
    cause,
  });
}

async function openDaemon(
  options: DaemonOptions,
  place: DaemonPlace,
  opened: (() => unknown)[],
  close: () => Promise<void>,
): Promise<Daemon> {
  const { openStore, serveCalls, idleMilliseconds: milliseconds, log } = options;
  const onError = (error: unknown): void => log(failureText(error));
  let stop = (): void => undefined;
  const stopRequested = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const daemon: DaemonSelf = {
    pid: process.pid,
    version: PACKAGE_VERSION,
    socket: place.socket,
    started_at: new Date().toISOString(),
    started_by: milliseconds === undefined ? "command" : "call",
  };
  // First: calls need neither the database nor the network.
  const { hookSocket } = place;
  let opening = (_: OpenMonitor): void => undefined;
  const monitorOpened = new Promise<OpenMonitor>((resolve) => {
    opening = resolve;
  });
  const ask: Ask = async (asked, signal) => (await monitorOpened).ask(asked, signal);
  const calls = hookSocket === undefined ? undefined : await serveCalls?.(hookSocket, () => stop(), ask);
  if (calls !== undefined) opened.push(() => calls.close());
  const by = userName();
  const token = await tokenIn(place.token);
  const monitor = await openStore(place.database).then(
    (store) => openMonitor(store, options, { by, daemon, token, portFile: place.port }, opened),
    (error: unknown) => {
      if (calls === undefined || systemCode(error) === "ENOSPC") throw error;
      onError(error);
      return withoutMonitor(token, isTenterhookError(error) ? error : unopened(place.database, error));
    },
  );
  opening(monitor);
  const serves =
    options.serve === undefined ? undefined : await serveTeam(monitor, options.serve, onError, opened);
  const info = (): DaemonInfo => ({
    ...daemon,
    serves,
    ...monitor.about(),
    ...(calls?.isReplaced() === true ? { replaced: true } : {}),
  });
  const local = serverOf(monitor.api({ answerer: { by, channel: "cli" }, info, stop }), onError);
  // The process that has opened a connection may end, and its id may be a person's process at a later request.
  local.maxRequestsPerSocket = 1;
  let lastRequest = Date.now();
  local.on("request", () => {
    lastRequest = Date.now();
  });
  opened.push(() => {
    monitor.letGo();
    return closeServer(local);
  });
  // Before the socket: who has asked there may read it.
  await writeAtomically(place.info, JSON.stringify(info()));
  opened.push(() => {
    rmSync(place.info, { force: true });
    removeSocket(place);
  });
  rmSync(place.socket, { force: true });
  await listening(local, { path: place.socket });
  chmodSync(place.socket, 0o600);
  monitor.start();
  if (milliseconds !== undefined) {
    const lastUse = () => Math.max(lastRequest, calls?.lastCall() ?? 0);
    opened.push(watchIdle({ milliseconds, lastUse, isNeeded: monitor.isNeeded, onIdle: stop }));
  }
  log(`listening at ${info().url || "no address"} and ${place.socket}, process ${process.pid}`);
  return { info: info(), stopRequested, close };
}

/** @returns the address. @throws TenterhookError `usage_error` for an address or a certificate that can't be used. */
async function serveTeam(
  { team }: OpenMonitor,
  { host, port, tls }: NonNullable<DaemonOptions["serve"]>,
  onError: (error: unknown) => void,
  opened: (() => unknown)[],
): Promise<string> {
  try {
    const ending = new AbortController();
    const own = tls === "proxy" ? undefined : tls;
    const server = teamServerOf(team(ending.signal, tls !== undefined), onError, own);
    opened.push(() => {
      ending.abort();
      return closeServer(server);
    });
    await listening(server, { host, port });
    return addressFor(host, portOf(server), own !== undefined);
  } catch (cause) {
    if (isTenterhookError(cause)) throw cause;
    throw new TenterhookError("usage_error", `${host}:${port} can't be served: ${errorMessage(cause)}.`, {
      hint: "--listen needs an address of this machine that is free; --tls-cert and --tls-key a certificate and its key, as PEM.",
      cause,
    });
  }
}

/** What other machines write to reach a server: one that listens everywhere is reached by the name of its machine. */
export function addressFor(host: string, port: number, hasTls: boolean, machine = hostname()): string {
  const isEverywhere = host === "0.0.0.0" || host === "::";
  const name = isEverywhere ? machine : host.includes(":") ? `[${host}]` : host;
  return `${hasTls ? "https" : "http"}://${name}:${port}`;
}

/** A daemon whose database can't be opened decides calls all the same. Its clients are told why it does nothing else. */
function withoutMonitor(token: string, error: TenterhookError): OpenMonitor {
  const fail = (): Promise<never> => Promise.reject(error);
  const monitor = { agents: fail, decisions: fail, decisionsLike: fail, resolve: fail };
  return {
    api: (client) =>
      daemonApi({
        monitor,
        drain: async () => undefined,
        onError: () => undefined,
        token,
        // There is nothing to answer.
        mustBePerson: personByToken,
        ...client,
      }),
    about: () => ({ url: "", channels: [], problem: error.message }),
    ask: fail,
    start: () => undefined,
    letGo: () => undefined,
    isNeeded: async () => false,
    team: () => {
      throw error;
    },
  };
}

/** With its folder, where it needs one of its own. */
function removeSocket({ socket, folder }: DaemonPlace): void {
  const own = dirname(socket) === folder ? socket : dirname(socket);
  rmSync(own, { force: true, recursive: own !== socket });
}

const LOOK_MILLISECONDS = 1000;

interface IdleOptions {
  /** How long nobody has to need the daemon. */
  readonly milliseconds: number;
  /** When it was last used, in milliseconds since 1970. */
  readonly lastUse: () => number;
  /** Whether it has something to do by itself. */
  readonly isNeeded: () => Promise<boolean>;
  readonly onIdle: () => void;
}

/** Calls `onIdle` once nobody has needed the daemon for some time. Returns a function that ends the watch. */
function watchIdle({ milliseconds, lastUse, isNeeded, onIdle }: IdleOptions): () => void {
  let since = Date.now();
  const timer = setInterval(
    async () => {
      since = Math.max(since, lastUse());
      if (Date.now() - since < milliseconds) return;
      if (!(await isNeeded().catch(() => true))) onIdle();
      since = Date.now();
    },
    Math.min(LOOK_MILLISECONDS, milliseconds),
  );
  return () => clearInterval(timer);
}
