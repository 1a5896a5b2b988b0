import { createPostgresBackend, Queue } from "bullmq";

/**
 * A queue of BullMQ without anything of ours, whose workers store the rows of the table bare_sample; see bare-worker.mjs.
 *
 * @param {string} url
 * @param {import("pg").Client} database
 */
export async function newBareQueue(url, database) {
  await database.query(`
    CREATE TABLE bare_sample (seq bigint PRIMARY KEY, message text, json text NOT NULL);
    CREATE TABLE bare_entries (
      agent text COLLATE "C" NOT NULL, seq bigint NOT NULL, message text COLLATE "C", json text NOT NULL,
      PRIMARY KEY (agent, seq)
    );
    CREATE UNIQUE INDEX ON bare_entries (agent, message) WHERE message IS NOT NULL;`);
  const connection = { connectionString: url, schema: "bare_queue", migrate: true };
  const queue = new Queue("bare", { connection }, createPostgresBackend);
  queue.on("error", () => {});
  await queue.waitUntilReady();
  return {
    /** @param {string} jobId */
    async add(jobId) {
      await queue.add("job", {}, { jobId, priority: 1, removeOnComplete: true, removeOnFail: true });
    },
    close: () => queue.close(),
  };
}
