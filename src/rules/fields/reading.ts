import { type RuleEvent, type RulePorts, subjectOf } from "./judged-event.ts";
import { callAnalysis, loadShellAnalysis } from "./shell-analysis.ts";
import { touchedBy } from "./touched.ts";

/** How the rules read a call: what it runs and touches, as far as that can be known without running it. */
export interface Reading {
  /** The simple commands of a shell line, without quotes; one that another starts is shown with it. */
  readonly runs: readonly string[];
  readonly reads: readonly string[];
  /** What gets other content, another place, or goes and can be made again. */
  readonly changes: readonly string[];
  /** What goes and can't be made again. */
  readonly loses: readonly string[];
  readonly connects: readonly string[];
  /** True when a part of it is known only once it runs. */
  readonly unknown: boolean;
}

export async function readCall(event: RuleEvent, ports: RulePorts): Promise<Reading | undefined> {
  if (typeof event.tool_name !== "string") return undefined;
  await loadShellAnalysis();
  const subject = subjectOf(event, ports);
  const analysis = callAnalysis(subject);
  const commands = analysis?.commands.filter(({ wrapper }) => !wrapper) ?? [];
  const loses = commands.flatMap(({ behaviours }) =>
    behaviours.filter(({ kind }) => kind === "loses").map(({ target }) => target),
  );
  const touched = (access: "reads" | "writes" | "connects") => [
    ...new Set(touchedBy(subject, access, false).filter((path) => path !== "/**")),
  ];
  const texts = [...new Set(commands.map(({ text }) => text))];
  return {
    runs: texts.filter((text) => !texts.some((other) => other.endsWith(` ${text}`))),
    reads: touched("reads"),
    changes: touched("writes").filter((path) => !loses.includes(path)),
    loses: [...new Set(loses)],
    connects: touched("connects"),
    unknown: analysis?.dynamic === true,
  };
}
