// `node bare-worker.mjs URL CONCURRENCY`: a worker of BullMQ without anything of ours. For each job it says that it was
// called, and stores the rows of the table bare_sample again, each by itself.
import { createPostgresBackend, Worker } from "bullmq";
import pg from "pg";

const [, , url = "", concurrency = "1"] = process.argv;
const database = new pg.Pool({ connectionString: url, max: Number(concurrency) + 2 });
const { rows: sample } = await database.query("SELECT message, json FROM bare_sample");
const worker = new Worker(
  "bare",
  async ({ id }) => {
    process.send?.(id);
    for (const [at, { message, json }] of sample.entries())
      await database.query("INSERT INTO bare_entries VALUES ($1, $2, $3, $4)", [id, at + 1, message, json]);
  },
  {
    connection: { connectionString: url, schema: "bare_queue", migrate: true },
    concurrency: Number(concurrency),
  },
  createPostgresBackend,
);
worker.on("error", () => {});
process.on("disconnect", () => process.exit());
