import { loadsCode } from "../../../shared/code-variables.ts";
import type { ProgramRow } from "../programs/program-row.ts";
import { shown } from "../words/text.ts";

/** What of the line before, or of the command itself, brings code into this program. */
export const PRELOADS: Pick<ProgramRow, "acts"> = {
  acts: ({ scope: { tables } }) =>
    [...tables.variables]
      .filter(([name, value]) => loadsCode(name, value === undefined ? undefined : shown(value)))
      .map(([name]) => ({ kind: "preloads", target: name })),
};
