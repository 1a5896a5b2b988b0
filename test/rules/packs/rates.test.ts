import { beforeAll, describe, expect, it } from "vitest";
import { protectSecrets } from "../../../src/rules/packs/protect-secrets.ts";
import { safeShell } from "../../../src/rules/packs/safe-shell.ts";
import { compileInlineRules, type InlineRules } from "../../../src/rules/rules.ts";
import { chosen, sampled } from "../../support/long.ts";
import { bash, ports } from "../ports.ts";
import { type LabelledLine, type LineList, labelledLines } from "./corpus.ts";

const USUAL: readonly LineList[] = ["corpus", "cases", "unseen-6"];
const OLDER: readonly LineList[] = ["unseen", "unseen-2", "unseen-3", "unseen-4", "unseen-5"];

let hooks: readonly InlineRules[] = [];

beforeAll(async () => {
  const definitions = [...safeShell.definitions, ...protectSecrets.definitions];
  hooks = await Promise.all(definitions.map((definition) => compileInlineRules(definition, ports)));
});

async function isStopped({ command }: LabelledLine): Promise<boolean> {
  const event = bash(command);
  for (const { decide } of hooks) {
    const { action } = await decide(event);
    if (action === "ask" || action === "deny") return true;
  }
  return false;
}

/** The lines with this label that get the wrong answer, and how many there are at most. */
async function mistakes(list: LineList, label: LabelledLine["label"]) {
  const lines = sampled(labelledLines(list), 2).filter((line) => line.label === label);
  const wrong: string[] = [];
  for (const line of lines) if ((await isStopped(line)) === (label === "safe")) wrong.push(line.command);
  return { share: wrong.length / lines.length, wrong };
}

describe("safe-shell and protect-secrets together", () => {
  describe.each(chosen(USUAL, [...USUAL, ...OLDER]))("on the lines of %s", (list) => {
    it("stop at least 98 of 100 destructive lines", async () => {
      const { share, wrong } = await mistakes(list, "destructive");
      expect(share, wrong.join("\n")).toBeLessThanOrEqual(0.02);
    });

    it("stop at least 96 of 100 lines that send data away", async () => {
      const { share, wrong } = await mistakes(list, "exfiltration");
      expect(share, wrong.join("\n")).toBeLessThanOrEqual(0.04);
    });

    it("stop at most 2 of 100 everyday lines", async () => {
      const { share, wrong } = await mistakes(list, "safe");
      expect(share, wrong.join("\n")).toBeLessThanOrEqual(0.02);
    });
  });
});
