import { expect, it } from "vitest";
import { filesBelow } from "../repository/support/files.ts";
import { printed } from "./support/printed.ts";

/** What each example prints. */
const PRINTS: Readonly<Record<string, RegExp>> = {
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
  "12-around-a-tool.mjs":
    /^try 1 failed\ntry 2 failed\nThe page\.\nslow took longer than 0\.05 s[^\n]*\nwaits: Refund 250 euros\?\npaid 250\nnobody waits any more\nRefund 90 euros\? A human must say\.\npaid 90 Send a receipt\.\n$/,
  "programs/own-loop.ts": /^select mail from users: \[mail\]\nrefused: Tables stay\.\n$/,
  "programs/subagents-and-stop-gate.ts": /^reviewer is done\ncomplete: Now it is done\.\n$/,
  "programs/typed-events.ts":
    /^staging: continue Deploying to staging\.\nproduction: deny Ask the team first\.\n$/,
  "programs/own-store-and-model.ts": /^This is request 1\.\nThis is request 2\.\n4 messages\n$/,
};

/** Those that start programs or servers, or are tests: examples.process.test.ts and programs.long.test.ts. */
const ELSEWHERE = [
  "00-tour.mjs",
  "11-test-your-hooks.mjs",
  "programs/approval-server.ts",
  "programs/plugin/index.ts",
  "programs/plugin/test.ts",
];

it("every example has a test", () => {
  const examples = [...filesBelow("examples", /^\d.*\.mjs$/), ...filesBelow("examples/programs", /\.ts$/)];
  const tested = [...Object.keys(PRINTS), ...ELSEWHERE].map((file) => `examples/${file}`);
  expect(examples.toSorted()).toEqual(tested.toSorted());
});

it.each(Object.entries(PRINTS))("the example %s prints what it shows", async (file, expected) => {
  expect(await printed(file)).toMatch(expected);
});
