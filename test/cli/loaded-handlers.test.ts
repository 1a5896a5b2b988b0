import { expect, it } from "vitest";
import { loadedHandlers } from "../../src/cli/hook/served/warm/loaded-handlers.ts";
import type { MakeHandler } from "../../src/handlers/ready-hook.ts";
import { nodeRulePorts } from "../../src/node/rule-ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

it.each([
  ["once, when the files that it names are known", 10, 1],
  ["for each event, when it names too many files", 600, 2],
])("the handler of a persistent program is made %s", async (_, words, times) => {
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
  const command = ["node", ...Array.from({ length: words }, (_, at) => `word-${at}`)];
  for (const name of ["judge", "judge"])
    await keep("command", { name, command, mode: "persistent" }, context);
  expect(made).toBe(times);
});
