// A process that claims an agent when it is told "claim", and says what came of it. Told "release", it gives it back.
import { createInterface } from "node:readline";
import { isTenterhookError } from "../../../../src/core/base/errors.ts";
import type { AgentClaim } from "../../../../src/core/contracts/transcript.ts";
import { isStoreKind, STORES } from "./places.ts";

const [kind = "", folder = "", agent_id = ""] = process.argv.slice(2);
if (!isStoreKind(kind)) throw new Error(`No store is called ${kind}.`);
const store = STORES[kind](folder);
let claim: AgentClaim | undefined;

// What is loaded with the first use must not decide who is first.
await store.load(agent_id);
process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "claim") {
    try {
      claim = await store.claim({ session_id: "shared", agent_id });
      process.stdout.write("won\n");
    } catch (error) {
      if (!isTenterhookError(error)) throw error;
      process.stdout.write(`${error.code}: ${error.message}\n`);
    }
  }
  if (line === "release") {
    await claim?.release();
    process.stdout.write("released\n");
  }
}
await store.close();
