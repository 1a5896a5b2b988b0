import { randomBytes } from "node:crypto";
import { chmodSync, rmSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { Hono } from "hono";
import { errorMessage } from "../../core/base/error-text.ts";
import { TenterhookError } from "../../core/base/errors.ts";
import type { MonitorStore } from "../../core/contracts/monitor.ts";
import type { MonitorSettings } from "../../core/monitor/settings.ts";
import { writeAtomically } from "../../node/files/atomic-write.ts";
import { claimFile } from "../../node/files/claim-file.ts";
import { makePrivateFolder } from "../../node/files/make-folders.ts";
import { PACKAGE_VERSION } from "../../node/package-version.ts";
import { systemCode } from "../../node/system-code.ts";
import { homeFolder } from "../../node/user-folders.ts";
import { tidyAnswers } from "../answers.ts";
import { createMonitor } from "../monitor.ts";
import { createNotifier } from "../notify/notifier.ts";
import { triggerLooks } from "../triggers/watch-triggers.ts";
import { onlyWithToken } from "./access.ts";
import { type DaemonInfo, daemonApi } from "./api.ts";
import { watchDecisions } from "./decision-loop.ts";
import { withDecisionSpans } from "./decision-spans.ts";
import { readToken } from "./hook-address.ts";
import { type AnswerHook, hookRoute } from "./hook-route.ts";
import { intakeLoop, KEPT_MILLISECONDS } from "./intake-loop.ts";
import { processLooks } from "./liveness.ts";
import { failureText } from "./log-text.ts";
import { startLooks } from "./looks.ts";
import { type DaemonPlace, daemonPlace, mustBeOwn } from "./place.ts";
import { closeServer, listening, serverOf } from "./server.ts";
import { listenAtUsualPort } from "./usual-address.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Finds what the monitor does by itself for an agent in a folder. */
export type SettingsFor = (cwd: string) => Promise<MonitorSettings>;

/** What a daemon is started with. */
export interface DaemonOptions {
  readonly openStore: (file: string) => Promise<MonitorStore>;
  /** The section `monitor` of the configuration in force in a folder. Never rejects. */
  readonly settingsFor: SettingsFor;
  /** Starts a process that carries out an action and outlives the daemon. Must not throw. */
  readonly carryOut: (actionId: string) => void;
  /** Decides calls of agents that ask by HTTP. */
  readonly answerHook: AnswerHook;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  /** How often it looks for what nobody reports. It looks at what is reported at once. */
  readonly lookMilliseconds?: number;
}

/** A running daemon. */
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
      hint: "tenterhook monitor status shows it.",
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

async function openDaemon(
  { openStore, settingsFor, carryOut, answerHook, environment, log, lookMilliseconds }: DaemonOptions,
  place: DaemonPlace,
  opened: (() => unknown)[],
  close: () => Promise<void>,
): Promise<Daemon> {
  const onError = (error: unknown): void => log(failureText(error));
  const store = await withDecisionSpans(await openStore(place.database));
  opened.push(() => store.close());
  const monitor = createMonitor(store, environment, onError);
  const intake = await intakeLoop(store, environment, onError);
  opened.push(async () => {
    intake.close();
    await intake.drain();
  });
  let stop = (): void => undefined;
  const stopRequested = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const token = await tokenIn(place.token);
  const by = userName();
  const started_at = new Date().toISOString();
  const notifier = createNotifier({
    store,
    monitor,
    environment,
    secret: token,
    log,
    targetsFor: async ({ cwd }) => (await settingsFor(cwd ?? homeFolder(environment))).notify ?? [],
  });
  let port = 0;
  const info = (): DaemonInfo => {
    const problem = intake.problem();
    return {
      pid: process.pid,
      version: PACKAGE_VERSION,
      url: `http://127.0.0.1:${port}`,
      socket: place.socket,
      started_at,
      channels: notifier.channels(),
      ...(problem === undefined ? {} : { problem }),
    };
  };
  const api = (channel: "cli" | "http") =>
    daemonApi({
      monitor,
      drain: intake.drain,
      info,
      answerer: { by, channel },
      ...(channel === "cli" ? { stop } : {}),
      onError,
    });
  const local = serverOf(api("cli"), onError);
  const onlyAllowed = (key: string) => onlyWithToken(key, () => port);
  const guarded = new Hono()
    .route("/", hookRoute(answerHook, onlyAllowed(await tokenIn(place.hookToken)), onError))
    .use(onlyAllowed(token))
    .route("/", api("http"));
  const remote = serverOf(guarded, onError);
  opened.push(
    () => closeServer(remote),
    () => closeServer(local),
  );
  // Before the socket, where clients ask for the port.
  port = await listenAtUsualPort(remote, place);
  rmSync(place.socket, { force: true });
  await listening(local, { path: place.socket });
  chmodSync(place.socket, 0o600);
  await intake.drain();
  await monitor.recoverAnswers();
  const { drain } = intake;
  const processes = startLooks(processLooks(monitor, drain), onError, lookMilliseconds);
  const decisions = watchDecisions({
    store,
    monitor,
    notifier,
    settingsFor,
    environment,
    onError,
    milliseconds: lookMilliseconds,
  });
  const triggers = startLooks(
    triggerLooks({ monitor, environment, settingsFor, carryOut, drain }),
    onError,
    lookMilliseconds,
  );
  const forget = (): void => {
    tidyAnswers(environment);
    store.forget(new Date(Date.now() - KEPT_MILLISECONDS)).catch(onError);
  };
  forget();
  const forgetting = setInterval(forget, DAY_MILLISECONDS);
  opened.push(async () => {
    clearInterval(forgetting);
    await processes.close();
    await triggers.close();
    await decisions.close();
  });
  await writeAtomically(place.info, JSON.stringify(info()));
  opened.push(() => {
    rmSync(place.info, { force: true });
    removeSocket(place);
  });
  log(`listening at ${info().url} and ${place.socket}, process ${process.pid}`);
  return { info: info(), stopRequested, close };
}

/** With its folder, where it needs one of its own. */
function removeSocket({ socket, folder }: DaemonPlace): void {
  const own = dirname(socket) === folder ? socket : dirname(socket);
  rmSync(own, { force: true, recursive: own !== socket });
}

/** The token of earlier daemons, so that clients that have read it go on. */
async function tokenIn(file: string): Promise<string> {
  const known = readToken(file);
  if (known !== undefined) return known;
  const made = randomBytes(32).toString("hex");
  await writeAtomically(file, made);
  return made;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "user";
  }
}
