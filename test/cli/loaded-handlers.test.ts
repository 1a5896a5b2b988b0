import { expect, it } from "vitest";
import { loadedHandlers } from "../../src/cli/hook/served/warm/loaded-handlers.ts";
import type { MakeHandler } from "../../src/handlers/ready-hook.ts";
import { nodeRulePorts } from "../../src/node/rule-ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

it("the handler of a persistent program is made once", async () => {
  let made = 0;
  const make: MakeHandler = async (type) => {
    made += 1;
    return { type, run: () => undefined };
  };
  const keep = loadedHandlers().keeping(make);
  const context = {
    events: ["PreToolUse"],
    site: { root: temporaryFolder() },
    ports: { rules: nodeRulePorts, environment: process.env },
  };
  const command = ["node", "judge.js"];
  for (const name of ["judge", "judge"])
    await keep("command", { name, command, mode: "persistent" }, context);
  expect(made).toBe(1);
});
