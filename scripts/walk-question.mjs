// `node scripts/walk-question.mjs`: the files whose functions run while a question goes from a hook to Telegram and the answer
// back, in a daemon that has taken one before. Neither the engine, its rules and configuration nor the codec counts, nor what
// runs without a question: in an idle daemon, or, outside of `src/hook`, for a call that asks nobody.
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { Session } from "node:inspector/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { build } from "esbuild";
import { root } from "./run.mjs";
import { printFiles, sourcesIn } from "./walked-files.mjs";

/** What the architecture counts as the engine and the codec. */
const LEFT_OUT = /^src\/(?:core|rules|handlers|config|adapters)\//;
const MOST_FILES = 30;
const TOKEN = "4711:a-token";
/** The daemon looks after what nobody reports each second. */
const IDLE_MILLISECONDS = 3000;

const ENTRY = `
export { startDaemon } from "./src/monitor/daemon/daemon.ts";
export { sqliteMonitor } from "./src/monitor/store/sqlite-monitor.ts";
export { settingsIn } from "./src/cli/commands/monitor/daemon/foreground.ts";
export { serveCalls } from "./src/hook/daemon/serve.ts";
export { PACKAGE_VERSION } from "./src/node/package-version.ts";
export { daemonPlace } from "./src/monitor/report/daemon-place.ts";
`;

const folder = mkdtempSync(join(tmpdir(), "tenterhook-walk-"));
const phone = await telegram();
try {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: ENTRY, resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
    target: "node20.19",
    mainFields: ["module", "main"],
    define: { "import.meta.url": "__filename", "import.meta.dirname": "__dirname" },
    external: ["undici", "zod", "tenterhook-sqlite", "@opentelemetry/api", "pg", "bullmq", "ioredis"],
    logLevel: "error",
  });
  const [{ text: program = "" } = {}] = outputFiles;
  for (const name of ["package.json", "node_modules"]) symlinkSync(join(root, name), join(folder, name));
  const file = join(folder, "daemon.cjs");
  writeFileSync(file, program);
  const environment = user(phone.url);
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  /** The functions that have run since the last call. */
  const ran = async () => {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const functions = result.find(({ url }) => url.endsWith("/daemon.cjs"))?.functions ?? [];
    return functions.flatMap(({ functionName, ranges: [range] }) =>
      range !== undefined && range.count > 0 ? [{ functionName, at: range.startOffset }] : [],
    );
  };
  const daemon = createRequire(file)(file);
  /** @param {unknown} error */
  const fail = (error) => {
    throw error;
  };
  const running = await daemon.startDaemon({
    openStore: daemon.sqliteMonitor,
    settingsFor: daemon.settingsIn(environment, fail),
    carryOut: () => undefined,
    serveCalls: (
      /** @type {string} */ socket,
      /** @type {() => void} */ onReplaced,
      /** @type {unknown} */ ask,
    ) => daemon.serveCalls({ socket, program: file, onReplaced, ask, log: console.error }),
    environment,
    log: () => undefined,
  });
  const { hookSocket } = daemon.daemonPlace(environment);
  const call = (/** @type {number} */ number, /** @type {string} */ event) =>
    decided({ socketPath: hookSocket, path: `/hook/${daemon.PACKAGE_VERSION}` }, environment, number, event);
  await call(1, "PermissionRequest");
  await phone.closed(1);
  await ran();
  await wait(IDLE_MILLISECONDS);
  const idle = await ran();
  await call(2, "PreToolUse");
  await wait(IDLE_MILLISECONDS);
  const sources = sourcesIn(program);
  const usual = (await ran()).filter(({ at }) => !sources(at).startsWith("src/hook/"));
  await call(3, "PermissionRequest");
  await phone.closed(2);
  const known = new Set([...idle, ...usual].map(({ at }) => at));
  const found = (await ran()).filter(({ at }) => !known.has(at));
  await running.close();
  const files = printFiles(program, found, LEFT_OUT);
  console.log(`${files} files for one question from a hook to Telegram and back; the aim is ${MOST_FILES}.`);
} finally {
  phone.close();
  rmSync(folder, { recursive: true, force: true });
}
// Loaded code may keep connections open.
process.exit();

/**
 * A user whose phone is asked.
 *
 * @param {string} url
 * @returns {NodeJS.ProcessEnv}
 */
function user(url) {
  const home = join(folder, "home");
  const config = join(home, "config/tenterhook");
  mkdirSync(config, { recursive: true });
  mkdirSync(join(folder, "project"));
  const notify = [{ telegram: 1, token_env: "BOT_TOKEN", url }];
  const monitor = { on_prompt: { action: "answer", wait: "1m" }, notify };
  writeFileSync(join(config, "hooks.json"), JSON.stringify({ monitor }));
  writeFileSync(join(config, "monitor.env"), `BOT_TOKEN=${TOKEN}\n`, { mode: 0o600 });
  const places = { XDG_CONFIG_HOME: join(home, "config"), XDG_STATE_HOME: join(home, "state") };
  Object.assign(process.env, { HOME: home, ...places, XDG_CACHE_HOME: join(home, "cache") });
  return { ...process.env };
}

/**
 * Calls the daemon as the client of a hook does, and waits for its reply.
 *
 * @param {{ readonly socketPath: string, readonly path: string }} address
 * @param {NodeJS.ProcessEnv} environment
 * @param {number} number
 * @param {string} event
 */
async function decided(address, environment, number, event) {
  const id = `call${String(number).padStart(24, "0")}-1`;
  const cwd = join(folder, "project");
  const mounts = process.platform === "linux" ? readlinkSync("/proc/self/ns/mnt") : "";
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const payload = {
    ...{ session_id: "s1", cwd, hook_event_name: event, tool_name: "Bash" },
    ...{ tool_input: { command: `make ${number}` }, transcript_path: join(cwd, "none.jsonl") },
  };
  const head = [id, cwd, process.pid, process.ppid, mounts, ...variables].map((one) => `${one}\0`).join("");
  const sent = request({ ...address, method: "POST", agent: false });
  sent.end(`${head}\0${JSON.stringify(payload)}`);
  const [reply] = await once(sent, "response");
  const said = await text(reply);
  if (reply.statusCode !== 200 || (event === "PermissionRequest" && !said.includes('"allow"')))
    throw new Error(`Call ${number} was not answered: ${reply.statusCode} ${said}`);
}

/** A phone on which somebody allows whatever is asked. */
async function telegram() {
  /** @type {object[]} */
  let updates = [];
  let last = 0;
  let closed = 0;
  /** @type {(() => void) | undefined} */
  let held;
  /** @type {Record<string, (fields: any) => unknown>} */
  const methods = {
    async getUpdates({ offset = 0, timeout = 0 }) {
      const left = () => updates.filter((one) => Reflect.get(one, "update_id") >= offset);
      updates = left();
      if (updates.length === 0 && timeout > 0)
        await new Promise((resolve) => {
          held = () => resolve(undefined);
        });
      return left();
    },
    sendMessage({ text: asked, reply_markup }) {
      last += 1;
      const message = { message_id: last, chat: { id: 1 }, date: 0, text: asked, reply_markup };
      const key = reply_markup?.inline_keyboard.flat().find((/** @type {any} */ one) => one.text === "allow");
      if (key !== undefined) {
        const from = { id: 1, first_name: "Ann" };
        const callback_query = { id: `q${last}`, from, message, data: key.callback_data };
        updates = [...updates, { update_id: last, callback_query }];
        held?.();
      }
      return message;
    },
    answerCallbackQuery: () => true,
    editMessageText({ message_id }) {
      closed += 1;
      return { message_id, chat: { id: 1 }, date: 0 };
    },
  };
  const server = createServer(async (asked, response) => {
    const method = asked.url?.split("/").at(-1) ?? "";
    const body = await text(asked);
    const result = await methods[method]?.(body === "" ? {} : JSON.parse(body));
    response.setHeader("content-type", "application/json").end(JSON.stringify({ ok: true, result }));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    /** Resolves when so many messages say what came of their question. */
    async closed(/** @type {number} */ number) {
      while (closed < number) await wait(20);
    },
    close: () => server.closeAllConnections(),
  };
}
