import { beforeAll, describe, expect, it } from "vitest";
import { compiledRules } from "../../src/rules/decision.ts";
import { subjectOf } from "../../src/rules/fields/judged-event.ts";
import { loadShellAnalysis } from "../../src/rules/fields/shell-analysis.ts";
import { candidateRules } from "../../src/rules/index/rule-index.ts";
import { readInlineRules } from "../../src/rules/rules.ts";
import { bash, ports } from "./ports.ts";

beforeAll(loadShellAnalysis);

/** The numbers of the rules that the index leaves for a line. */
function candidates(rules: string, line: string): readonly number[] {
  const { index } = compiledRules(readInlineRules({ name: "h", rules }), ports);
  const found = candidateRules(index, subjectOf(bash(line), ports));
  return found instanceof Promise ? [] : [...found];
}

describe("a rule about a behaviour towards certain files", () => {
  const rule = 'command runs "@changes **/.claude/settings.json **/crush.json" -> ask("No")';

  it("is not asked about a line that does the same to other files", () => {
    expect(candidates(rule, 'cd app && echo "$HOME" | tee build.log')).toEqual([]);
  });

  it("is not asked about a line that names them and does something else", () => {
    expect(candidates(rule, 'cat "crush.json"')).toEqual([]);
  });

  it.each(['echo "{}" | tee .claude/settings.json', "echo 1 > sub/crush.json", "rm -f .claude/set*"])(
    "is asked about %s",
    (line) => {
      expect(candidates(rule, line)).toEqual([0]);
    },
  );
});

describe("a rule about one of several programs", () => {
  it("is asked only about lines with the arguments that all of them need", () => {
    const rule = 'command runs "{npm,pnpm} publish" -> ask("No")';
    expect(candidates(rule, "npm test")).toEqual([]);
    expect(candidates(rule, "pnpm publish")).toEqual([0]);
  });

  it("is asked about each of them where a word is an argument of one and the value of an option of the other", () => {
    const rule = 'command runs "{grep,head} -n 5" -> ask("No")';
    expect(candidates(rule, "head -n 5 a.txt")).toEqual([0]);
    expect(candidates(rule, "grep -n 5 a.txt")).toEqual([0]);
    expect(candidates(rule, "grep -n b a.txt")).toEqual([0]);
  });
});
