import { chmodSync, readlinkSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { LAST_GATE_PATH } from "../../adapters/claude/mod/wire.js";
import type { Ask } from "../../monitor/report/ask.ts";
import { stampOf } from "../../node/files/file-stamp.ts";
import { readUpTo } from "../../node/http.ts";
import { homeFolder } from "../../node/user-folders.ts";
import type { CallServer } from "../../shared/monitor/call-server.ts";
import { readLeft, runAsyncHooks } from "../async-hooks.ts";
import { HANDED_OVER, type HookCall, type Host } from "../call.ts";
import { decide } from "../decide.ts";
import { answerBesides } from "../last-gate.ts";
import { keptConfigs } from "./kept-config.ts";
import { keptHandlers } from "./kept-handlers.ts";
import { CALL_PATH, type CallReply, callReader, replyParts } from "./protocol.ts";

/** A longer payload is left to a process of its own, so that others need not wait. */
const MOST_BYTES = 2_000_000;
/** How often the client is shown that its call is being decided. It waits for two seconds. */
const SIGN_MILLISECONDS = 500;
/** What is under way has this long when the daemon ends; then clients decide the calls themselves. */
const END_MILLISECONDS = 8000;
const FAREWELL_MILLISECONDS = 1000;
/** How often it is looked whether the program is still the one that was started. */
const LOOK_MILLISECONDS = 1000;

interface ServeOptions {
  /** Where clients connect. */
  readonly socket: string;
  /** This program's own file. */
  readonly program: string;
  /** Called once when the program was removed, or is another one now: a new daemon has to take over. */
  readonly onReplaced: () => void;
  /** The monitor of this process. */
  readonly ask: Ask;
  readonly log: (error: unknown) => void;
}

/**
 * Decides calls of `tenterhook hook` that come on a socket. For whatever it does not answer with 200, the client starts a
 * process that decides.
 *
 * @throws the system's error.
 */
export async function serveCalls({
  socket,
  program,
  onReplaced,
  ask,
  log,
}: ServeOptions): Promise<CallServer> {
  const read = callReader();
  const { host, isBusy, close } = daemonHost(ask, log);
  const home = homeFolder();
  const mounts = ownMounts();
  const started = stampOf(partsOf(program));
  const open = new Set<Promise<void>>();
  let last = Date.now();
  let replaced = false;
  let isClosing = false;
  const isReplaced = (): boolean => {
    if (!replaced && stampOf(partsOf(program)) !== started) {
      replaced = true;
      onReplaced();
    }
    return replaced;
  };
  // Without a call, too: it would act for agents with programs that are no longer there.
  const looking = setInterval(isReplaced, LOOK_MILLISECONDS);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isLastGate = request.url === LAST_GATE_PATH;
    const isOurs = isLastGate || request.url === CALL_PATH;
    if (request.method !== "POST" || !isOurs || isReplaced()) return leave(response);
    const { bytes: body, truncated } = await readUpTo(request, MOST_BYTES);
    // Its client has waited for too long, and asks again or decides itself.
    if (response.destroyed) return;
    const sent = truncated ? undefined : read(body);
    if (sent === undefined) return leave(response);
    // A client in a container sees other files under the same names; below the home folder, this process's own counts.
    if (sent.mounts !== mounts || homeFolder(sent.environment) !== home) return leave(response);
    last = Date.now();
    const gone = new AbortController();
    response.once("close", () =>
      gone.abort(isClosing ? HANDED_OVER : new Error("The agent ended the call.")),
    );
    if (isLastGate) return answerLastGate({ ...sent, time: last, signal: gone.signal }, response);
    const signs = setInterval(() => response.writeProcessing(), SIGN_MILLISECONDS);
    const call: HookCall = { ...sent, time: last, signal: gone.signal };
    const decided = await decide(call, host).finally(() => clearInterval(signs));
    // What could not be decided here may be decided elsewhere.
    if (decided?.config === undefined) return leave(response);
    if (!gone.signal.aborted) {
      const reply = replyParts(decided.reply);
      response.writeHead(200, reply.headers).end(reply.body);
    }
    await decided.after();
    last = Date.now();
  };
  const answerLastGate = async (asked: HookCall, response: ServerResponse): Promise<void> => {
    const send = (reply: CallReply): void =>
      void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(reply));
    const besides = await answerBesides(asked);
    if (besides !== undefined) return send(besides);
    const decided = await decide({ ...asked, isLastGate: true }, host);
    if (decided?.config === undefined && decided?.isLate !== true) return leave(response);
    const { stdout, stderr, exit_code } = decided.reply;
    if (!asked.signal.aborted) send({ stdout, stderr, exit_code });
    await decided.after();
    last = Date.now();
  };
  const server = createServer({ headersTimeout: 5000, requestTimeout: 20_000 }, (request, response) => {
    const answered = answer(request, response)
      .catch((error: unknown) => {
        log(error);
        response.destroy();
      })
      .finally(() => open.delete(answered));
    open.add(answered);
  });
  server.on("error", log);
  rmSync(socket, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen({ path: socket }, resolve);
  });
  chmodSync(socket, 0o600);
  return {
    lastCall: () => (open.size > 0 || isBusy() ? Date.now() : last),
    isReplaced,
    close: async () => {
      isClosing = true;
      clearInterval(looking);
      rmSync(socket, { force: true });
      const cut = setTimeout(() => server.closeAllConnections(), END_MILLISECONDS);
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(cut);
      const soon = (work: Promise<unknown>, milliseconds: number) =>
        Promise.race([work, sleep(milliseconds, undefined, { ref: false })]);
      await soon(Promise.all(open), END_MILLISECONDS);
      // What goes on in the background ends by itself, in this process.
      await soon(close(), FAREWELL_MILLISECONDS);
    },
  };
}

/** What is loaded only when it is needed is in folders, which change with every file that is added or removed. */
function partsOf(program: string): readonly string[] {
  const folder = dirname(program);
  return [program, folder, join(folder, "commands"), join(folder, "chunks")];
}

/** Leaves a call to a process of its own. */
function leave(response: ServerResponse): void {
  response.writeHead(409, { "content-length": 0 }).end();
}

/** Names what this process sees of the file system, as client.sh names it. */
function ownMounts(): string {
  try {
    return readlinkSync("/proc/self/ns/mnt");
  } catch {
    return "";
  }
}

/** The daemon as a place where calls are decided: configurations and the processes of hooks stay in memory. */
function daemonHost(ask: Ask, log: (error: unknown) => void) {
  const handlers = keptHandlers();
  /** What goes on after replies. */
  const background = new Set<Promise<void>>();
  const goOn = (work: Promise<void>): void => {
    const watched = work.catch(log).finally(() => background.delete(watched));
    background.add(watched);
  };
  const host: Host = {
    takes: ({ settings }) => settings.daemon,
    findConfig: keptConfigs(),
    makeFor: handlers.makeFor,
    askFor: () => ask,
    leave: (left, call) => {
      const pipes = left.pipes.flatMap((pipe) => (pipe instanceof Readable ? [pipe] : []));
      goOn(readLeft({ ...left, pipes }, call));
    },
    runAsync: (hooks, call) => {
      // Nobody waits for them, so nobody can end them early.
      goOn(runAsyncHooks(hooks, { ...call, signal: new AbortController().signal }, host));
    },
  };
  const close = async (): Promise<void> => {
    await Promise.all(background);
    await handlers.close();
  };
  return { host, isBusy: () => background.size > 0, close };
}
