// A fleet against bare BullMQ on the same server.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sideBySide } from "../measure.mjs";
import { newBareQueue } from "./bare-queue.mjs";
import { newFleet } from "./fleet.mjs";
import { withPostgres } from "./postgres.mjs";

const WARM_UPS = 10;
const SUBMITS = 100;
const ROUNDS = 3;
/** So long nothing happens before the next one: the workers wait for it. */
const REST_MILLISECONDS = 30;
const CONCURRENCY = "4";

/** A model that answers at once, and tells when it is asked. */
async function modelServer() {
  let onAsked = () => {};
  const piece = (/** @type {object} */ choice) =>
    `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, ...choice }] })}\n\n`;
  const server = createServer((request, response) => {
    onAsked();
    request.resume();
    response.setHeader("content-type", "text/event-stream");
    const [text, end] = [{ delta: { content: "Over." } }, { delta: {}, finish_reason: "stop" }].map(piece);
    response.end(`${text}${end}data: [DONE]\n\n`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    model: `openai-compatible:http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/m`,
    /** @returns {Promise<void>} */
    asked: () =>
      new Promise((resolve) => {
        onAsked = resolve;
      }),
    close: () => server.close(),
  };
}

/** @param {import("pg").Client} database @param {string} sql @param {number} count */
async function untilCount(database, sql, count) {
  for (;;) {
    const { rows } = await database.query(sql);
    if (Number(rows[0].count) >= count) return;
    await wait(20);
  }
}

const ENDED = "SELECT count(*) FROM tenterhook.runs WHERE state NOT IN ('queued', 'running')";

/**
 * From the submit of a run until its model is asked, and from the adding of a job until its processor is called, in turns:
 * by how much the 95th percentile of ours is longer.
 */
export function submitToFirstStep() {
  return withPostgres(async (url, database) => {
    const [fleet, bare, { model, asked, close }] = [
      await newFleet(url),
      await newBareQueue(url, database),
      await modelServer(),
    ];
    try {
      fleet.startWorker();
      const worker = fleet.startBareWorker("1");
      let number = 0;
      const ours = async () => {
        const begin = performance.now();
        const first = asked();
        await fleet.submit("Answer.", model);
        await first;
        const took = performance.now() - begin;
        number += 1;
        await untilCount(database, ENDED, number);
        return took;
      };
      const theirs = async () => {
        const begin = performance.now();
        const called = once(worker, "message");
        await bare.add(`job-${number}`);
        await called;
        return performance.now() - begin;
      };
      /** @type {{ readonly ours: number, readonly theirs: number }[]} */
      const samples = [];
      for (let round = 0; round < WARM_UPS + SUBMITS; round += 1) {
        await wait(REST_MILLISECONDS);
        const our = await ours();
        await wait(REST_MILLISECONDS);
        samples.push({ ours: our, theirs: await theirs() });
      }
      const counted = samples.slice(WARM_UPS);
      const [our, their] = [counted.map((one) => one.ours), counted.map((one) => one.theirs)];
      return { ours: p95(our), theirs: p95(their) };
    } finally {
      close();
      await bare.close();
      await fleet.close();
    }
  });
}

/** @param {readonly number[]} samples */
function p95(samples) {
  return [...samples].sort((one, other) => one - other)[Math.floor(samples.length * 0.95)] ?? Number.NaN;
}

/**
 * How long two workers take for runs that wait in the queue, and two of BullMQ alone for jobs that store the same rows.
 *
 * @param {number} runs
 * @param {number} steps Messages of each, an even number.
 * @param {number} [rounds]
 */
export function queuedRuns(runs, steps, rounds = ROUNDS) {
  return withPostgres(async (url, database) => {
    const [fleet, bare] = [await newFleet(url), await newBareQueue(url, database)];
    const file_path = join(fleet.folder, "note.txt");
    writeFileSync(file_path, "One line.\n");
    const reads = Array.from({ length: steps / 2 - 1 }, () => ({
      tool_calls: [{ name: "Read", input: { file_path } }],
    }));
    const model = fleet.script("script.json", [...reads, { text: "Over." }]);
    let submitted = 0;
    let added = 0;
    /** @param {number} count */
    const ours = async (count) => {
      for (let run = 0; run < count; run += 1) await fleet.submit("Read it.", model);
      submitted += count;
      return onTwo(() => fleet.startWorker("--concurrency", CONCURRENCY), ENDED, submitted);
    };
    /** @param {number} count @param {number} rows */
    const theirs = async (count, rows) => {
      for (let job = 0; job < count; job += 1) await bare.add(`job-${added + job}`);
      added += count;
      const start = () => fleet.startBareWorker(CONCURRENCY);
      return onTwo(start, "SELECT count(*) FROM bare_entries", added * rows);
    };
    /** @param {() => import("node:child_process").ChildProcess} start @param {string} sql @param {number} count */
    const onTwo = async (start, sql, count) => {
      const begin = performance.now();
      const workers = [start(), start()];
      await untilCount(database, sql, count);
      const took = performance.now() - begin;
      for (const worker of workers) await fleet.end(worker);
      return took;
    };
    try {
      await ours(1);
      const { rowCount } = await database.query(
        "INSERT INTO bare_sample SELECT seq, message, json FROM tenterhook.transcript_entries ORDER BY seq",
      );
      const rows = rowCount ?? 0;
      const sides = await sideBySide(
        rounds,
        () => ours(runs),
        () => theirs(runs, rows),
      );
      const { rows: lost } = await database.query(
        `SELECT run FROM tenterhook.runs WHERE state <> 'done' OR $1 <> (
           SELECT count(*) FROM tenterhook.transcript_entries WHERE agent = run AND message IS NOT NULL)`,
        [steps],
      );
      if (lost.length > 0) throw new Error(`${lost.length} of ${submitted} runs did not end whole.`);
      return { ...sides, unit: /** @type {const} */ ("ms") };
    } finally {
      await bare.close();
      await fleet.close();
    }
  });
}
