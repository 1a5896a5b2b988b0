// A process that ends while its agent works, in the way that is named. Prints what hooks hear of it.
import { writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Agent, defaultTools, scriptedModel } from "../../../src/agent.ts";
import { createHooks } from "../../../src/index.ts";

const [how = ""] = process.argv.slice(2);
const hooks = createHooks();
hooks.on("SessionEnd", async ({ reason }) => {
  writeSync(1, `ended ${reason}\n`);
  await pause(20);
  writeSync(1, "tidied up\n");
  return undefined;
});
hooks.on("PreModelRequest", () => {
  setTimeout(() => {
    if (how === "exit") process.exit(3);
    if (how === "throw" || how === "caught") throw new Error("nobody catches this");
    if (how === "reject") void Promise.reject(new Error("nobody catches this"));
  }, 50);
});
if (how === "caught")
  process.on("uncaughtException", () => {
    writeSync(1, "caught\n");
    process.exit(4);
  });
const model = scriptedModel([{ text: "never", delay_ms: 600_000 }]);
await new Agent({ model, hooks, tools: defaultTools(), mode: "bypass" }).run("go");
