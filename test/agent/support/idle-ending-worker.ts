// A process that ends after its agent has worked, in the way that is named. Prints what hooks hear of it.
import { Agent, scriptedModel } from "../../../src/agent.ts";
import { createHooks } from "../../../src/index.ts";

const [how] = process.argv.slice(2);
const hooks = createHooks();
hooks.on("SessionEnd", ({ reason }) => {
  console.log("ended", reason);
});
const agent = new Agent({ model: scriptedModel([]), tools: [], hooks });
await agent.run("go");
if (how === "exit") process.exit(0);
if (how === "throw") throw new Error("unexpected");
if (how === "close") await agent.close("mine");
