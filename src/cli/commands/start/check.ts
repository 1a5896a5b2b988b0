import { type CommandRun, flagOption, textOption } from "../../command-line/command.ts";
import { githubLine } from "../../command-line/github-line.ts";
import { findings } from "../../command-line/screen/report.ts";
import { counted, green } from "../../command-line/screen/text.ts";
import { checkedFiles, type FilesFound, fileBlocks, problemBlocks } from "../hooks/validate.ts";
import { examine } from "../integrations/doctor.ts";

/** `tenterhook check`: the named files, or everything that applies here. */
export const run: CommandRun = async (invocation) => {
  const { names, cwd } = invocation;
  const files = await checkedFiles(invocation);
  const valid = files.errors.length === 0;
  const isForGithub = textOption(invocation, "format") === "github";
  if (isForGithub) invocation.screen.print(...annotations(files, cwd));
  if (isForGithub) return valid ? 0 : 1;
  if (names.length > 0)
    return { json: { valid, ...files }, blocks: fileBlocks(files, cwd), code: valid ? 0 : 1 };
  const { findings: all, ...about } = await examine(invocation);
  const isTold = (message: string): boolean =>
    all.some(({ about: part }) => {
      const name = /^hook (.*)/.exec(part)?.[1];
      return name !== undefined && message.startsWith(`Hook ${JSON.stringify(name)} will fail`);
    });
  const warnings = files.warnings.filter(({ message }) => !isTold(message));
  const count = (level: string): number => all.filter((one) => one.level === level).length;
  const errors = files.errors.length + count("error");
  const verbose = flagOption(invocation, "verbose");
  return {
    json: { valid, ...files, ...about, findings: all },
    blocks: [
      problemBlocks({ ...files, warnings }, cwd),
      findings(all, verbose),
      "",
      countsText(errors, warnings.length + count("warning"), verbose),
    ],
    code: errors === 0 ? 0 : 1,
  };
};

function countsText(errors: number, warnings: number, verbose: boolean): string {
  const wrong = [
    ...(errors === 0 ? [] : [counted(errors, "error")]),
    ...(warnings === 0 ? [] : [counted(warnings, "warning")]),
  ].join(", ");
  return wrong === ""
    ? green("  No problems found.")
    : `  ${wrong}.${verbose ? "" : " -v shows the rest too."}`;
}

/** The lines that a workflow shows beside the code. */
function annotations({ errors, warnings }: FilesFound, cwd: string): readonly string[] {
  return [
    ...errors.map((problem) => githubLine("error", problem, cwd)),
    ...warnings.map((warning) => githubLine("warning", warning, cwd)),
  ];
}
