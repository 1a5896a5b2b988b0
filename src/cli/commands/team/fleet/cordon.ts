import { userInfo } from "node:os";
import { setCordon } from "../../../../fleet/cordon.ts";
import { withRuns } from "../../../../fleet/open-fleet.ts";
import type { Cordon } from "../../../../fleet/run.ts";
import type { CommandRun } from "../../../command-line/command.ts";

/** `tenterhook fleet cordon`: a worker takes no more runs. */
export const cordon: CommandRun = change(
  (by) => ({ by }),
  (id) => `${id} takes no more runs. Those that it has go on.`,
);

/** `tenterhook fleet uncordon`: it takes them again. */
export const uncordon: CommandRun = change(
  () => undefined,
  (id) => `${id} takes runs again.`,
);

/** `tenterhook fleet drain`: it ends. */
export const drain: CommandRun = change(
  (by) => ({ by, drains: true }),
  (id) => `${id} takes no more runs, and ends once those that it has have ended.`,
);

function change(
  cordonBy: (name: string) => Cordon | undefined,
  sentence: (id: string) => string,
): CommandRun {
  return async ({ names: [name = ""], environment }) => {
    const wanted = cordonBy(userInfo().username);
    const ids = await withRuns(environment, (database) => setCordon(database, name, wanted));
    return { json: { workers: ids, cordoned: wanted }, blocks: [ids.map(sentence)] };
  };
}
