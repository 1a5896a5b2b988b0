import { awayNow, comeBack } from "../../../monitor/report/away.ts";
import type { CommandRun } from "../../command-line/command.ts";

/** `tenterhook back`: agents show their own dialogs soon again. */
export const run: CommandRun = async ({ environment, screen, json }) => {
  const wasAway = awayNow(environment) !== undefined;
  comeBack(environment);
  if (json) screen.json({ was_away: wasAway });
  else screen.print(wasAway ? "You are back: agents show their own dialogs soon." : "You were not away.");
};
