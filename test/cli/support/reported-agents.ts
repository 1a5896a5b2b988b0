import { processScreen } from "../../../src/cli/command-line/screen/screen.ts";
import { runCommandLine } from "../../../src/cli/run-command-line.ts";
import type { DaemonOptions } from "../../../src/monitor/daemon/daemon.ts";
import { aPerson } from "../../support/a-person.ts";
import { watchedAgents } from "../../terminal/support/watched-agents.ts";
import type { Project } from "./project.ts";
import { inPlace } from "./run-cli.ts";

/** A project with a daemon, to which agents report, and what commands show of them. */
export async function reported(options: Partial<DaemonOptions> = {}) {
  const { project, report, ask } = await watchedAgents(options);
  const shown = async (...args: readonly string[]) => {
    const { stdout, stderr } = await project.run(args);
    return `${stdout}${stderr}`;
  };
  return { ...project, report, ask, shown };
}

/** The rows of a terminal of this width after a command. */
export async function shownOn(
  columns: number,
  { cwd, environment }: Pick<Project, "cwd" | "environment">,
  ...args: readonly string[]
) {
  let printed = "";
  const stdout = {
    isTTY: true,
    columns,
    write: (written: string) => {
      printed += written;
    },
  };
  const plain = { ...environment, NO_COLOR: "1" };
  const screen = processScreen(plain, { stdout, stderr: stdout, stdin: {} });
  const place = { cwd, environment: plain };
  await inPlace(place, () => runCommandLine(args, { screen, ...place, parent: 1, standing: aPerson }));
  return rowsOf(printed, columns);
}

/** What the rows of a terminal show, which breaks a line that is too long and has tabs at every eighth column. */
function rowsOf(printed: string, width: number): readonly string[] {
  return printed.split("\n").flatMap((line) => {
    const rows = [""];
    for (const character of line) {
      const row = rows.at(-1) ?? "";
      const next = character === "\t" ? Math.min(width, row.length + 8 - (row.length % 8)) : 0;
      if (character === "\t") rows.splice(-1, 1, row.padEnd(next));
      else if (row.length >= width) rows.push(character);
      else rows.splice(-1, 1, `${row}${character}`);
    }
    return rows;
  });
}
