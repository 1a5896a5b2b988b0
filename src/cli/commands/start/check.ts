import { type CommandRun, flagOption, type Invocation, textOption } from "../../command-line/command.ts";
import { githubLine } from "../../command-line/github-line.ts";
import { counted } from "../../command-line/screen/text.ts";
import { checkedFiles, type FilesFound, showFiles, showProblems } from "../hooks/validate.ts";
import { examine, showFindings } from "../integrations/doctor.ts";

/** `tenterhook check`: the named files, or everything that applies here. */
export const run: CommandRun = async (invocation) => {
  const { names, screen, json } = invocation;
  const files = await checkedFiles(invocation);
  const valid = files.errors.length === 0;
  const isForGithub = textOption(invocation, "format") === "github";
  if (isForGithub || names.length > 0) {
    if (isForGithub) annotate(files, invocation);
    else if (json) screen.json({ valid, ...files });
    else showFiles(files, invocation);
    return valid ? undefined : 1;
  }
  const { findings, ...about } = await examine(invocation);
  if (json) screen.json({ valid, ...files, ...about, findings });
  const isTold = (message: string): boolean =>
    findings.some(({ about }) => {
      const name = /^hook (.*)/.exec(about)?.[1];
      return name !== undefined && message.startsWith(`Hook ${JSON.stringify(name)} will fail`);
    });
  const warnings = files.warnings.filter(({ message }) => !isTold(message));
  const count = (level: string): number => findings.filter((one) => one.level === level).length;
  const counts = {
    errors: files.errors.length + count("error"),
    warnings: warnings.length + count("warning"),
  };
  if (!json) {
    if (showProblems({ ...files, warnings }, invocation)) screen.print("");
    showFindings(findings, invocation);
    showCounts(counts, invocation);
  }
  return counts.errors === 0 ? undefined : 1;
};

function showCounts(
  { errors, warnings }: { readonly errors: number; readonly warnings: number },
  invocation: Invocation,
): void {
  const { screen } = invocation;
  const wrong = [
    ...(errors === 0 ? [] : [counted(errors, "error")]),
    ...(warnings === 0 ? [] : [counted(warnings, "warning")]),
  ].join(", ");
  const rest = flagOption(invocation, "verbose") ? "" : " -v shows the rest too.";
  screen.print("", wrong === "" ? screen.paint.green("  No problems found.") : `  ${wrong}.${rest}`);
}

/** The lines that a workflow shows beside the code. */
function annotate({ errors, warnings }: FilesFound, { screen, cwd }: Invocation): void {
  for (const problem of errors) screen.print(githubLine("error", problem, cwd));
  for (const warning of warnings) screen.print(githubLine("warning", warning, cwd));
}
