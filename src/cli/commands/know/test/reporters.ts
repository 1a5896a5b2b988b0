import { relative } from "node:path";
import { differenceText } from "../../../../know/cases/result-text.ts";
import type { CaseResult } from "../../../../know/cases/run-case.ts";
import type { TestRun } from "../../../../know/cases/test-run.ts";
import { githubLine } from "../../../command-line/github-line.ts";
import { harmless } from "../../../command-line/screen/text.ts";
import type { Reported } from "./reported.ts";
import { showRun } from "./show-run.ts";

/** The ways to report a run. */
export const REPORTERS = {
  default: showRun,
  junit: ({ run, screen, cwd, milliseconds }: Reported) => screen.print(junit(run, cwd, milliseconds)),
  json: ({ run, screen, coverage }: Reported) => screen.json(jsonReport(run, coverage)),
  github: ({ run, screen, cwd, coverage }: Reported) => {
    for (const { file, line, ...one } of run.cases.filter(({ status }) => status === "failed"))
      screen.print(githubLine("error", { file, line, message: failureText(one) }, cwd));
    for (const { file, line, hook } of coverage ? run.coverage.missed : [])
      screen.print(
        githubLine("warning", { file, line, message: `No case reaches this rule of ${hook}.` }, cwd),
      );
    screen.print(`${run.passed} passed, ${run.failed} failed, ${run.not_evaluated} not evaluated`);
  },
} as const;

function jsonReport({ passed, failed, not_evaluated, cases, coverage }: TestRun, isCovered: boolean): object {
  return { passed, failed, not_evaluated, cases, ...(isCovered ? { coverage } : {}) };
}

function failureText({
  name,
  problem,
  differences,
}: Pick<CaseResult, "name" | "problem" | "differences">): string {
  return [name, ...(problem === undefined ? [] : [problem]), ...differences.map(differenceText)].join("\n");
}

function junit({ passed, failed, not_evaluated, cases }: TestRun, cwd: string, milliseconds: number): string {
  const total = passed + failed + not_evaluated;
  const seconds = (milliseconds / 1000).toFixed(3);
  const rows = cases.map(({ file, line, ...one }) => {
    const path = relative(cwd, file);
    const opening = `    <testcase classname="${xml(path)}" name="${xml(one.name)}" file="${xml(path)}" line="${line}"`;
    if (one.status === "passed") return `${opening} />`;
    if (one.status === "not_evaluated") return `${opening}><skipped /></testcase>`;
    return `${opening}><failure>${xml(failureText(one))}</failure></testcase>`;
  });
  const counts = `tests="${total}" failures="${failed}" skipped="${not_evaluated}" time="${seconds}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="tenterhook" ${counts}>`,
    ...rows,
    "  </testsuite>",
    "</testsuites>",
  ].join("\n");
}

const XML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function xml(text: string): string {
  return harmless(text).replace(/[&<>"]/g, (character) => XML[character] ?? "");
}
