import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeRulePorts, rulePortsFor } from "../../src/node/rule-ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("only a file with content or a folder can be overwritten at a loss, and no link", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "full"), "x");
  writeFileSync(join(folder, "empty"), "");
  mkdirSync(join(folder, "src"));
  symlinkSync("full", join(folder, "link"));
  const names = ["full", "src", "empty", "link", "missing", join(folder, "full")];
  expect(names.filter((name) => nodeRulePorts.holdsData(name, folder))).toEqual([
    "full",
    "src",
    join(folder, "full"),
  ]);
});

test("what can't be looked at counts as there", () => {
  expect(nodeRulePorts.holdsData("a\0b", "/")).toBe(true);
});

test("a call of another process is judged by the environment of that process", () => {
  const environment = { HOME: "/home/ann" };
  expect(rulePortsFor(environment).environment).toBe(environment);
  expect(nodeRulePorts.environment).toBe(process.env);
});
