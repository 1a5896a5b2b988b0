import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What each example prints. They import the package by its name, as built. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  "00-tour.mjs":
    /^agent {3}Write sum\.mjs\n[\s\S]*denied {2}Recursive deletes are not allowed here\.[\s\S]*denied {2}Hook "network-policy" failed \(timeout\)[\s\S]*hook {4}keeps it going: The tests fail\. Fix sum\.mjs\.[\s\S]*tool {4}tests pass {2}\[timeout 60 s\]\nagent {3}Now it is really done\.\n/,
  "01-block-a-call.mjs":
    /^git status -> continue\ngit push --force origin main -> deny: Use --force-with-lease, or ask a human\.\n$/,
  "02-rewrite-and-recheck.mjs":
    /^staging -> continue\n[\s\S]*prod -> deny: Not on production\.\n[\s\S]*protect-production \(recheck\)\n$/,
  "03-keep-going-until-done.mjs": /stopped after round 3\n[\s\S]*the limit is 3\.\nstopped after round 4\n$/,
  "04-your-own-loop.mjs":
    /^package\.json: \{ …\n\/etc\/hostname: refused: The user refused this call\.\nno-such-file: failed: ENOENT\n$/,
  "05-inline-rules.mjs":
    /^continue {2}npm test && git status\ndeny {6}X=rm; \$X -rf ~\n[\s\S]*deny {6}cd web && npm publish\n {10}CI publishes\.\nask {7}sed[\s\S]*ask {7}db\/migrations[\s\S]*rewritten to pytest tests -q\n$/,
  "06-an-agent.mjs":
    /^Write haiku\.txt\n {2}denied: A haiku has three lines\.\nWrite haiku\.txt\n {2}Created[^\n]*\n {2}a hook says: That is a good haiku\.\nBash git push[^\n]*\n {2}denied: [^\n]*\n {2}a hook says: Sign the haiku with Basho\.\nEdit haiku\.txt\n[^\n]*\ncomplete: Now it is signed\.\nOld pond\nfrog leaps in\nsplash \(Basho\)\n$/,
  "07-suspend-and-resume.mjs":
    /^general-purpose starts: Count the files\.\nsuspended question\nthe agent goes on\nThen I leave them\.\ngeneral-purpose: complete: Count the files\.\nmain: complete: Tidy up\.\n$/,
  "08-images-and-schemas.mjs":
    /^prompt: How many pixels has it\?\n {2}with image\/png, 70 bytes\ntool: \{"width":1,"height":1,"unit":"px"\}\nasked 3 times\n1 pixel, green\n$/,
  "09-steer-limit-guard.mjs":
    /^budget\nNothing in the garden\.\nthe message has joined\nBoth are empty\. The code of the shed is \[number\]\.\n$/,
  "10-refunds.mjs":
    /^a human is asked: Refund 250 euros\?\nPaid 50 euros back for order 17\.\nPaid 250 euros back for order 17\.\nAt most 1000 euros\.\nTwo of three\.\n$/,
  // Versions of Node report differently.
  "11-test-your-hooks.mjs":
    /a force push is refused, however it is written[\s\S]*the agent hears why[\s\S]*a store forgets a claim with its agent[\s\S]*fail 0\n/,
  "12-around-a-tool.mjs":
    /^try 1 failed\ntry 2 failed\nThe page\.\nslow took longer than 0\.05 s[^\n]*\nwaits: Refund 250 euros\?\npaid 250\nnobody waits any more\n$/,
};

describe("the examples", () => {
  it("every example has a test here", () => {
    expect(readdirSync(`${root}examples`).filter((file) => file.endsWith(".mjs"))).toEqual(
      Object.keys(PRINTS),
    );
  });

  it.each(Object.entries(PRINTS))("%s runs and prints what it shows", (file, expected) => {
    const output = execFileSync(process.execPath, [`${root}examples/${file}`], {
      cwd: root,
      encoding: "utf8",
      timeout: 100_000,
    });
    expect(output).toMatch(expected);
  });
});
