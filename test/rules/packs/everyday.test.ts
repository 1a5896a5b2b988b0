import { beforeAll, describe, expect, it } from "vitest";
import { PACKS } from "../../../src/rules/packs/packs.ts";
import { compileInlineRules, type InlineRules } from "../../../src/rules/rules.ts";
import { sampled } from "../../support/long.ts";
import { bash, ports } from "../ports.ts";
import { type LabelledLine, type LineList, labelledLines } from "./corpus.ts";

const three: InlineRules[] = [];
const offline: InlineRules[] = [];

beforeAll(async () => {
  for (const [name, pack] of PACKS)
    for (const definition of pack.definitions)
      (name === "no-network" ? offline : three).push(await compileInlineRules(definition, ports));
});

async function isStopped(hooks: readonly InlineRules[], command: string): Promise<boolean> {
  const event = bash(command);
  for (const { decide } of hooks) {
    const { action } = await decide(event);
    if (action === "ask" || action === "deny") return true;
  }
  return false;
}

/** The commands that are stopped, or those that are not. */
async function commandsThat(stopped: boolean, hooks: readonly InlineRules[], lines: readonly LabelledLine[]) {
  const found: string[] = [];
  for (const { command } of lines) if ((await isStopped(hooks, command)) === stopped) found.push(command);
  return found;
}

/** Every second line of a list; its share is what counts. */
const linesOf = (list: LineList): readonly LabelledLine[] => sampled(labelledLines(list), 2);

describe("safe-shell, protect-secrets and git-safety together", () => {
  it("stop at most 1 of 100 commands of a day's work", async () => {
    const lines = linesOf("everyday");
    expect(lines.length).toBeGreaterThanOrEqual(250);
    const wrong = await commandsThat(true, three, lines);
    expect(wrong.length / lines.length, wrong.join("\n")).toBeLessThanOrEqual(0.01);
  });

  it("stop at most 1 of 100 harmless lines that are close to dangerous ones", async () => {
    const lines = linesOf("harmless");
    const wrong = await commandsThat(true, three, lines);
    expect(wrong.length / lines.length, wrong.join("\n")).toBeLessThanOrEqual(0.01);
  });

  it("stop at least 97 of 100 dangerous lines of many shapes", async () => {
    const lines = linesOf("dangerous");
    expect(lines.length).toBeGreaterThanOrEqual(200);
    const wrong = await commandsThat(false, three, lines);
    expect(wrong.length / lines.length, wrong.join("\n")).toBeLessThanOrEqual(0.03);
  });
});

describe("no-network", () => {
  it("stops no command that needs no network", async () => {
    const lines = labelledLines("everyday").filter((line) => line.network !== true);
    expect(await commandsThat(true, offline, lines)).toEqual([]);
  });

  it("stops every command that needs one", async () => {
    const lines = labelledLines("everyday").filter((line) => line.network === true);
    expect(await commandsThat(false, offline, lines)).toEqual([]);
  });
});
