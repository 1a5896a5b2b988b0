import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { DatabaseSync } from "@photostructure/sqlite";
import { startDaemon } from "./daemon.mjs";
import { project } from "./hook-process.mjs";
import { fillStore } from "./monitor-store.mjs";

const WEEK_MILLISECONDS = 7 * 24 * 60 * 60 * 1000;
const [SESSIONS, HOOKS, PER_FILE] = [400, 40, 7000];

/**
 * A project with a week of history, which a running daemon has taken in: as many events and records of the journal, and a
 * tenth of that decisions.
 *
 * @param {number} records
 * @param {number} [agents]
 */
export async function projectWithHistory(records, agents = 50) {
  const made = await project([]);
  await fillStore(made.environment, agents, records, records / 10);
  writeJournal(made, records);
  const daemon = await startDaemon(made.environment);
  const folder = join(String(made.environment.XDG_STATE_HOME), "tenterhook/monitor");
  for (let taken = 0; taken < records; ) {
    await wait(200);
    const database = new DatabaseSync(join(folder, "activity.sqlite"), { timeout: 1000 });
    taken = Number(Object.values(database.prepare("SELECT count(*) FROM calls").get() ?? {})[0]);
    database.close();
  }
  return { ...made, daemon };
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
