import { type Away, awayNow, comeBack, goAway } from "../../../monitor/report/away.ts";
import type { CommandRun } from "../../command-line/command.ts";
import { moment } from "../../command-line/screen/text.ts";
import { neededLength } from "../../command-line/times.ts";

/** `tenterhook away`: questions wait long for an answer from elsewhere. */
export const run: CommandRun = async (invocation) => {
  const { environment, names } = invocation;
  const time = names.join(" ");
  const away = await goAway(environment, time === "" ? undefined : neededLength(time) / 1000);
  return { json: { away }, blocks: [`${awayText(away)} tenterhook back ends it.`] };
};

/** `tenterhook back`: agents show their own dialogs soon again. */
export const back: CommandRun = async ({ environment }) => {
  const wasAway = awayNow(environment) !== undefined;
  comeBack(environment);
  return {
    json: { was_away: wasAway },
    blocks: [wasAway ? "You are back: agents show their own dialogs soon." : "You were not away."],
  };
};

export function awayText({ until }: Away): string {
  const end = until === undefined ? "" : ` until ${moment(until)}`;
  return `You are away${end}: questions wait for your answer from elsewhere, also where an agent shows no dialog meanwhile.`;
}
