import { withRuns } from "../../../../fleet/open-fleet.ts";
import { pruneRuns } from "../../../../fleet/prune.ts";
import type { CommandRun } from "../../../command-line/command.ts";
import { counted } from "../../../command-line/screen/text.ts";
import { secondsOption } from "../../../command-line/times.ts";
import { usageError } from "../../../command-line/usage-error.ts";

/** `tenterhook fleet prune`: deletes runs that ended long ago. */
export const run: CommandRun = async (invocation) => {
  const older = secondsOption(invocation, "older");
  if (older === undefined)
    throw usageError("Which runs? --older is missing.", "tenterhook fleet prune --older 90d");
  const { environment, signal } = invocation;
  const deleted = await withRuns(environment, (database) => pruneRuns(database, older * 1000, signal));
  return { json: { deleted }, blocks: [`${counted(deleted, "run")} deleted.`] };
};
