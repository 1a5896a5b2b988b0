import { relative } from "node:path";
import { differenceText, namesOfSilent, shown, tookPart } from "../../../../know/cases/result-text.ts";
import type { CaseResult } from "../../../../know/cases/run-case.ts";
import type { TestRun } from "../../../../know/cases/test-run.ts";
import { githubLine } from "../../../command-line/github-line.ts";
import { type Block, paragraph } from "../../../command-line/screen/report.ts";
import {
  bold,
  counted,
  dim,
  green,
  harmless,
  harmlessLine,
  harmlessName,
  red,
  shortPath,
  yellow,
} from "../../../command-line/screen/text.ts";

/** The ways to report a run to people and services. */
export const REPORTERS: Readonly<Record<string, (reported: Reported) => Block>> = {
  default: runBlock,
  junit: ({ run, cwd, milliseconds }) => junit(run, cwd, milliseconds),
  github: ({ run, cwd, coverage }) => [
    ...run.cases
      .filter(({ status }) => status === "failed")
      .map(({ file, line, ...one }) => githubLine("error", { file, line, message: failureText(one) }, cwd)),
    ...(coverage ? run.coverage.missed : []).map(({ file, line, hook }) =>
      githubLine("warning", { file, line, message: `No case reaches this rule of ${hook}.` }, cwd),
    ),
    `${run.passed} passed, ${run.failed} failed, ${run.not_evaluated} not evaluated`,
  ],
};

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

const MARGIN = 6;

/** The cases that did not pass, each with what differs and who took part, and the counts. */
function runBlock({ run, cwd, coverage, milliseconds }: Reported): Block {
  const place = ({ file, line }: { readonly file: string; readonly line: number }): string =>
    dim(`${shortPath(file, cwd)}:${line}`);
  const line = (text: string, paint?: (text: string) => string): Block =>
    paragraph(text, paint, " ".repeat(MARGIN));
  const waiting = run.cases.filter(({ status }) => status === "not_evaluated");
  const { reached, rules, missed } = run.coverage;
  const files = new Set(run.cases.map(({ file }) => file)).size;
  const parts = [
    green(`${run.passed} passed`),
    ...(run.failed > 0 ? [red(`${run.failed} failed`)] : []),
    ...(run.not_evaluated > 0 ? [yellow(`${run.not_evaluated} not evaluated`)] : []),
  ];
  return [
    ...run.cases
      .filter(({ status }) => status === "failed")
      .flatMap((one) => [
        `  ${red("✗")} ${bold(harmlessLine(one.name))}  ${place(one)}`,
        one.problem !== undefined && line(one.problem),
        ...one.differences.flatMap(({ key, expected, actual }) => [
          differing(key, green(`- ${harmlessLine(shown(expected))}`)),
          differing(" ".repeat(key.length), red(`+ ${harmlessLine(shown(actual))}`)),
        ]),
        line(tookPart(one.hooks), dim),
        "",
      ]),
    ...waiting.flatMap((one) => [
      `  ${yellow("?")} ${harmlessLine(one.name)}  ${place(one)}`,
      line(
        one.problem ?? `${namesOfSilent(one.hooks)} would decide it: --run asks, or give the case a stub.`,
        dim,
      ),
    ]),
    waiting.length > 0 && "",
    coverage && [
      ...missed.flatMap((one) => [
        `  ${yellow("○")} No case reaches a rule of ${harmlessName(one.hook)}  ${place(one)}`,
        line(one.rule, dim),
      ]),
      `  ${reached} of ${counted(rules, "rule")} reached`,
      "",
    ],
    `  ${parts.join(", ")}  ${dim(`${counted(files, "file")}, ${Math.round(milliseconds)} ms`)}`,
  ];
}

function differing(key: string, value: string): string {
  return `${" ".repeat(MARGIN)}${key}  ${value}`;
}

/** What a report is made of. */
interface Reported {
  readonly run: TestRun;
  readonly cwd: string;
  /** True when people want to see which rules no case reaches. */
  readonly coverage: boolean;
  readonly milliseconds: number;
}
