import { execFileSync } from "node:child_process";
import { beforeAll, expect, it } from "vitest";
import { mustBeBuilt, ROOT } from "../repository/support/files.ts";

beforeAll(mustBeBuilt);

/** What an example prints that starts programs. It imports the package by its name, as built. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  "00-tour.mjs":
    /^agent {3}Write sum\.mjs\n[\s\S]*denied {2}Recursive deletes are not allowed here\.[\s\S]*denied {2}Hook "network-policy" failed \(timeout\)[\s\S]*hook {4}keeps it going: The tests fail\. Fix sum\.mjs\.[\s\S]*tool {4}tests pass {2}\[timeout 60 s\]\nagent {3}Now it is really done\.\n/,
  // Versions of Node report differently.
  "11-test-your-hooks.mjs":
    /a force push is refused, however it is written[\s\S]*the agent hears why[\s\S]*a store forgets a claim with its agent[\s\S]*fail 0\n/,
};

it.each(Object.entries(PRINTS))("the example %s prints what it shows", (file, expected) => {
  const output = execFileSync(process.execPath, [`examples/${file}`], { cwd: ROOT, encoding: "utf8" });
  expect(output).toMatch(expected);
});
