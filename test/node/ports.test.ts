import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeRulePorts, rulePortsFor } from "../../src/node/ports.ts";
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

test("everything in a folder is also what is in the folders that it links to", () => {
  const folder = temporaryFolder();
  for (const name of ["conf", "elsewhere/hooks"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "elsewhere/hooks/a.sh"), "");
  symlinkSync(join(folder, "elsewhere/hooks"), join(folder, "conf/hooks"));
  symlinkSync("missing", join(folder, "conf/broken"));
  const conf = join(folder, "conf");
  expect(nodeRulePorts.everythingIn(conf)?.toSorted()).toEqual(
    [conf, join(conf, "broken"), join(conf, "hooks"), join(conf, "hooks/a.sh")].toSorted(),
  );
});

test("a folder with a loop of links can't be looked at", () => {
  const folder = temporaryFolder();
  for (const name of ["a", "b"]) symlinkSync(".", join(folder, name));
  expect(nodeRulePorts.everythingIn(folder)).toBeUndefined();
});
