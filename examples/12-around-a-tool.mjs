// Around a tool of your own loop: try again, end what takes too long, wait for a human who answers in another process,
// decide first and run later.
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, context, createHooks, retry, ToolSuspendedError, timeLimit } from "tenterhook";

const hooks = createHooks();
hooks.on("Error", { name: "again", tools: "fetch" }, ({ attempt }) => {
  console.log(`try ${attempt} failed`);
  return retry(3);
});
hooks.on("PreToolUse", { name: "in-time", tools: "slow" }, () => timeLimit(0.05));
hooks.on("PreToolUse", { name: "large-refunds", tools: "refund" }, ({ tool_input }) =>
  ask(`Refund ${tool_input.amount} euros?`),
);

// Only a tool that may run twice is tried again.
let left = 2;
const page = await hooks.toolCall({
  tool_name: "fetch",
  tool_input: { url: "https://example.com" },
  replay: "safe",
  execute: async () => {
    left -= 1;
    if (left >= 0) throw new Error("busy");
    return "The page.";
  },
});
console.log(page);

const forever = () => new Promise(() => {});
await hooks
  .toolCall({ tool_name: "slow", tool_input: {}, execute: forever })
  .catch((error) => console.log(error.message));

const folder = mkdtempSync(join(tmpdir(), "tenterhook-example-"));
const waiting = join(folder, "waiting.json");
const refund = async (/** @type {{ amount: number }} */ { amount }) => `paid ${amount}`;
try {
  await hooks.toolCall({ tool_name: "refund", tool_input: { amount: 250 }, suspend: true, execute: refund });
} catch (error) {
  if (!(error instanceof ToolSuspendedError)) throw error;
  writeFileSync(waiting, JSON.stringify(error.waiting_for));
  console.log(`waits: ${error.message}`);
}

/** What a server of yours does with the answer. The process that renames the file owns the call, so it runs once. */
async function answered(/** @type {boolean} */ approval) {
  const mine = `${waiting}.taken`;
  try {
    renameSync(waiting, mine);
  } catch {
    return "nobody waits any more";
  }
  const waiting_for = JSON.parse(readFileSync(mine, "utf8"));
  return hooks.toolCall({ ...waiting_for.call, waiting_for, approval, execute: refund });
}
console.log(await answered(true));
console.log(await answered(true));
rmSync(folder, { recursive: true });

// For a loop that asks first and runs later: hooks judge once, and what they say comes back with the result.
hooks.on("PostToolUse", { name: "receipts", tools: "refund" }, () => context("Send a receipt."));
const decided = await hooks.decide({ tool_name: "refund", tool_input: { amount: 90 } });
console.log(`${decided.reason} ${decided.needs_approval ? "A human must say." : "Go on."}`);
const outcome = await hooks.tryToolCall({ ...decided.call, decided, approval: true, execute: refund });
console.log(outcome.ok ? outcome.result : outcome.error, outcome.context[0]?.text);
