import { posix as node } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressOf, DEFAULTS, stateAt } from "../../site/playground/address.ts";
import { describedAnswers } from "../../site/playground/machine.ts";
import { posix } from "../../site/playground/posix.ts";
import { pathsOf } from "../../src/shared/system/file-view.ts";
import { runs } from "../support/long.ts";

const path = fc
  .array(fc.constantFrom("a", "b", "..", ".", "", "C:\\x", "~"), { maxLength: 6 })
  .map((parts) => parts.join("/"));
const absolute = path.map((one) => `/${one}`);
/** Node keeps a slash at the end of what it joins, and what asks never has one. */
const withoutEnd = (one: string) => (one === "/" ? one : one.replace(/\/$/, ""));

describe("paths on the page", () => {
  it("are those of Node on Linux", () => {
    fc.assert(
      fc.property(absolute, path, (from, to) => {
        expect(posix.resolve(from, to)).toBe(node.resolve(from, to));
        expect(posix.join(from, to)).toBe(withoutEnd(node.join(from, to)));
        expect(posix.isAbsolute(to)).toBe(node.isAbsolute(to));
        expect(posix.parse(to).root).toBe(node.parse(to).root);
      }),
      { numRuns: runs(300) },
    );
  });

  it("follow the links that the page describes, from the home too", () => {
    const { folder } = DEFAULTS;
    const answers = describedAnswers({ ...DEFAULTS, files: "dist -> /srv/www\n~/keys -> .ssh\nsrc/a.ts" });
    const paths = pathsOf({ syntax: posix, trueSpelling: (one) => one, ...answers });
    expect(paths.spellings("dist/index.html", folder)).toEqual([
      `${folder}/dist/index.html`,
      "/srv/www/index.html",
    ]);
    expect(paths.spellings("~/keys/id", folder)).toEqual(["/home/you/keys/id", "/home/you/.ssh/id"]);
    expect(answers.everythingIn(`${folder}/src`)).toEqual([`${folder}/src`, `${folder}/src/a.ts`]);
    expect(answers.everythingIn("/srv")).toEqual([]);
  });
});

describe("the address", () => {
  it("holds all that the page shows, and says nothing of what is as usual", () => {
    const text = fc.string({ unit: "grapheme" });
    const state = fc.record({
      ...{ call: text, rules: text, home: text, folder: text, files: text, variables: text },
      packs: fc.subarray(["safe-shell", "protect-secrets", "git-safety", "no-network"]),
    });
    fc.assert(
      fc.property(state, (given) => {
        expect(stateAt(addressOf(given))).toEqual(given);
      }),
      { numRuns: runs(100) },
    );
    expect(addressOf(DEFAULTS)).toBe("");
    expect(addressOf({ ...DEFAULTS, call: "rm -rf ~" })).toBe("#call=rm+-rf+%7E");
  });
});
