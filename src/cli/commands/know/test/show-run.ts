import { namesOfSilent, shown, tookPart } from "../../../../know/cases/result-text.ts";
import {
  counted,
  hanging,
  harmless,
  harmlessLine,
  harmlessName,
  shortPath,
} from "../../../command-line/screen/text.ts";
import type { Reported } from "./reported.ts";

const MARGIN = 6;

/** Shows the cases that did not pass, each with what differs and who took part, and the counts. */
export function showRun({ run, screen, cwd, coverage, milliseconds }: Reported): void {
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
