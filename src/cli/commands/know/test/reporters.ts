import { relative } from "node:path";
import { differenceText, namesOfSilent, shown, tookPart } from "../../../../know/cases/result-text.ts";
import type { CaseResult } from "../../../../know/cases/run-case.ts";
import type { TestRun } from "../../../../know/cases/test-run.ts";
import { githubLine } from "../../../command-line/github-line.ts";
import type { Screen } from "../../../command-line/screen/screen.ts";
import {
  counted,
  hanging,
  harmless,
  harmlessLine,
  harmlessName,
  shortPath,
} from "../../../command-line/screen/text.ts";

/** The ways to report a run. */
export const REPORTERS = {
  default: showRun,
  junit: ({ run, screen, cwd, milliseconds }: Reported) => screen.print(junit(run, cwd, milliseconds)),
  json: ({ run, screen, coverage: isCovered }: Reported) => {
    const { passed, failed, not_evaluated, cases, coverage } = run;
    screen.json({ passed, failed, not_evaluated, cases, ...(isCovered ? { coverage } : {}) });
  },
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

/** Shows the cases that did not pass, each with what differs and who took part, and the counts. */
function showRun({ run, screen, cwd, coverage, milliseconds }: Reported): void {
  const { green, red, yellow, bold, dim } = screen.paint;
  const place = ({ file, line }: { readonly file: string; readonly line: number }): string =>
    dim(`${shortPath(file, cwd)}:${line}`);
  const line = (text: string): void => screen.print(hanging("", harmless(text), screen.width, MARGIN));

  for (const one of run.cases.filter(({ status }) => status === "failed")) {
    screen.print(`  ${red("✗")} ${bold(harmlessLine(one.name))}  ${place(one)}`);
    if (one.problem !== undefined) line(one.problem);
    for (const { key, expected, actual } of one.differences) {
      line(`${key}  ${green(`- ${harmlessLine(shown(expected))}`)}`);
      line(`${" ".repeat(key.length)}  ${red(`+ ${harmlessLine(shown(actual))}`)}`);
    }
    line(dim(tookPart(one.hooks)));
    screen.print("");
  }
  const waiting = run.cases.filter(({ status }) => status === "not_evaluated");
  for (const one of waiting) {
    screen.print(`  ${yellow("?")} ${harmlessLine(one.name)}  ${place(one)}`);
    line(
      dim(one.problem ?? `${namesOfSilent(one.hooks)} would decide it: --run asks, or give the case a stub.`),
    );
  }
  if (waiting.length > 0) screen.print("");
  if (coverage) {
    for (const missed of run.coverage.missed) {
      screen.print(
        `  ${yellow("○")} No case reaches a rule of ${harmlessName(missed.hook)}  ${place(missed)}`,
      );
      line(dim(missed.rule));
    }
    const { reached, rules } = run.coverage;
    screen.print(`  ${reached} of ${counted(rules, "rule")} reached`, "");
  }
  const files = new Set(run.cases.map(({ file }) => file)).size;
  const parts = [
    green(`${run.passed} passed`),
    ...(run.failed > 0 ? [red(`${run.failed} failed`)] : []),
    ...(run.not_evaluated > 0 ? [yellow(`${run.not_evaluated} not evaluated`)] : []),
  ];
  screen.print(`  ${parts.join(", ")}  ${dim(`${counted(files, "file")}, ${Math.round(milliseconds)} ms`)}`);
}

/** What a report is made of. */
interface Reported {
  readonly run: TestRun;
  readonly screen: Screen;
  readonly cwd: string;
  /** True when people want to see which rules no case reaches. */
  readonly coverage: boolean;
  readonly milliseconds: number;
}
