// A process that claims an agent and appends to it, to a subagent and to what is known of both, until it may not: the
// address of the database. It says the id of each message once it is durable, then why it stopped.
import { postgresStore } from "../../../../src/agent/transcripts/postgres/postgres-store.ts";
import { isTenterhookError } from "../../../../src/core/base/errors.ts";

const [url = ""] = process.argv.slice(2);
const store = postgresStore({ url });
const owner = { session_id: "agent", agent_id: "agent" };
const child = { session_id: "agent", agent_id: "child", parent_agent_id: "agent" };
await store.claim(owner);

async function writeUntilStopped(write: (number: number) => Promise<unknown>): Promise<string> {
  for (let number = 0; ; number += 1) {
    try {
      await write(number);
    } catch (error) {
      return isTenterhookError(error) ? error.code : String(error);
    }
  }
}

const ends = await Promise.all([
  writeUntilStopped(async (number) => {
    await store.append({ id: `m-${number}` }, owner);
    process.stdout.write(`m-${number}\n`);
  }),
  writeUntilStopped((number) => store.append({ id: `c-${number}` }, child)),
  writeUntilStopped((number) => store.save({ title: String(number) }, owner)),
]);
process.stdout.write(`${ends.join(" ")}\n`);
await store.close();
