import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { DatabaseSync } from "tenterhook-sqlite";
import { startDaemon } from "./daemon.mjs";
import { project } from "./hook-process.mjs";
import { FAST, fillStore, numbers } from "./monitor-store.mjs";

const WEEK_MILLISECONDS = 7 * 24 * 60 * 60 * 1000;
const [SESSIONS, HOOKS, PER_FILE] = [400, 40, 7000];

/** So many are written to the journal and taken in by the daemon; the rest are copies of their rows. */
const TAKEN_IN = 10_000;
/** What a million records need is more than the daemon stores by default. */
const SETTINGS = "monitor: { history: { megabytes: 8000 } }\n";

/**
 * A project with a week of history and its running daemon: as many events and records of decisions, and a tenth of that
 * questions.
 *
 * @param {number} records A multiple of 10,000; none is an empty store.
 * @param {number} [agents]
 */
export async function projectWithHistory(records, agents = 50) {
  const made = await project([]);
  const { XDG_CONFIG_HOME, XDG_STATE_HOME } = made.environment;
  const settings = join(String(XDG_CONFIG_HOME), "tenterhook");
  mkdirSync(settings, { recursive: true });
  writeFileSync(join(settings, "hooks.yaml"), SETTINGS);
  if (records > 0) writeJournal(made, TAKEN_IN);
  await fillStore(made.environment, agents, records, records / 10);
  if (records === 0) return { ...made, daemon: await startDaemon(made.environment) };
  const file = join(String(XDG_STATE_HOME), "tenterhook/monitor/activity.sqlite");
  const first = await startDaemon(made.environment);
  while (countIn(file) < TAKEN_IN) await wait(200);
  await first.stop();
  multiply(file, records / TAKEN_IN);
  return { ...made, daemon: await startDaemon(made.environment) };
}

/** @param {string} file */
function countIn(file) {
  const database = new DatabaseSync(file, { timeout: 1000 });
  const [count] = Object.values(database.prepare("SELECT count(*) FROM calls").get() ?? {});
  database.close();
  return Number(count);
}

/** What the daemon adds up by the hour and the day. */
const SUMS = {
  hours: ["runs", "denials", "asks", "keep_goings", "contexts", "woulds", "total_ms"],
  failures: ["runs"],
  latencies: ["runs"],
  decided: ["decisions", "stopped", "asked", "keep_goings"],
  rules: ["runs", "denials", "asks", "rewrites", "woulds", "failures"],
  paces: ["runs"],
};

/**
 * Makes so many records of each one, a few milliseconds apart, and the sums of them. Taking a million lines in takes the daemon
 * minutes.
 *
 * @param {string} file
 * @param {number} times
 */
function multiply(file, times) {
  if (times === 1) return;
  const database = new DatabaseSync(file);
  const columns = database
    .prepare("SELECT name FROM pragma_table_info('calls')")
    .all()
    .map(({ name }) => String(name));
  const copied = columns.map(
    (name) =>
      ({
        seq: `seq + copy * ${TAKEN_IN}`,
        call: "NULL",
        time: "time + copy * 7",
        tool_use: "tool_use || '-' || copy",
      })[name] ?? name,
  );
  const copies = `(${numbers(1, times - 1, "copy")})`;
  const rows = `WHERE seq <= ${TAKEN_IN}`;
  database.exec(`${FAST} BEGIN;
    INSERT INTO bodies SELECT seq + copy * ${TAKEN_IN}, json FROM ${copies} CROSS JOIN bodies ${rows};
    INSERT INTO calls (${columns}) SELECT ${copied} FROM ${copies} CROSS JOIN calls ${rows};`);
  for (const [table, sums] of Object.entries(SUMS))
    database.exec(`UPDATE ${table} SET ${sums.map((sum) => `${sum} = ${sum} * ${times}`)}`);
  database.exec("COMMIT");
  database.close();
}

/** @param {{ cwd: string, environment: NodeJS.ProcessEnv }} place @param {number} records */
function writeJournal({ cwd, environment }, records) {
  const folder = join(String(environment.XDG_STATE_HOME), "tenterhook/journal");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const begin = Date.now() - WEEK_MILLISECONDS + 3_600_000;
  const step = (WEEK_MILLISECONDS - 7_200_000) / records;
  for (let first = 0; first < records; first += PER_FILE) {
    const lines = Array.from({ length: Math.min(PER_FILE, records - first) }, (_, at) =>
      lineOf(first + at, new Date(begin + (first + at) * step).toISOString(), cwd),
    );
    writeFileSync(join(folder, `session-${first}.jsonl`), `${lines.join("\n")}\n`, { mode: 0o600 });
  }
}

/** One in fifty is refused, one in a hundred asked about. @param {number} number @param {string} time @param {string} cwd */
function lineOf(number, time, cwd) {
  const event_id = `call${randomBytes(12).toString("hex")}-1`;
  const action = number % 50 === 0 ? "deny" : number % 100 === 1 ? "ask" : "continue";
  const run = (/** @type {number} */ hook) => ({
    name: `hook-${hook}`,
    handler: "inline",
    event_id,
    started_at: time,
    duration_ms: 0.1 + (number % 97) / 10,
    ...(action !== "continue" && { outcome: { action, reason: "It changes what others use." } }),
  });
  return JSON.stringify({
    v: 1,
    type: "decision",
    time,
    session_id: `session-${number % SESSIONS}`,
    event_id,
    event: {
      hook_event_name: "PreToolUse",
      host: "claude",
      cwd,
      tool_name: "Bash",
      tool_input: { command: `npm run build -- --filter package-${number}` },
      tool_use_id: `toolu_${number}`,
    },
    decision: { action },
    runs: [run(number % HOOKS), run((number + 7) % HOOKS)],
  });
}
