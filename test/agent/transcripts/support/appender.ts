// A process that appends messages and says the id of each one once it is durable: kind of store, folder, agent, prefix of
// the ids, how many, length of each text, how many at once.
import { isStoreKind, STORES } from "./places.ts";

const [kind = "", folder = "", agent_id = "", prefix = "", count = "", length = "10", together = "1"] =
  process.argv.slice(2);
if (!isStoreKind(kind)) throw new Error(`No store is called ${kind}.`);
const store = STORES[kind](folder);
const owner = { session_id: "shared", agent_id };
const text = "é".repeat(Number(length));
let number = 0;

async function appendUntilDone(): Promise<void> {
  while (number < Number(count)) {
    const id = `${prefix}-${number}`;
    number += 1;
    await store.append({ id, text }, owner);
    process.stdout.write(`${id}\n`);
    await store.append({ id: `shared-${id.split("-")[1]}`, text: "same" }, owner);
    if (number % 10 === 0) {
      await store.record({ type: "item" }, owner);
      await store.save({ title: id }, owner);
    }
  }
}

await Promise.all(Array.from({ length: Number(together) }, appendUntilDone));
await store.close();
