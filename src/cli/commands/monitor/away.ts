import { type Away, goAway } from "../../../monitor/report/away.ts";
import type { CommandRun } from "../../command-line/command.ts";
import { secondsOption } from "../../command-line/seconds-option.ts";

/** `tenterhook away`: questions wait long for an answer from elsewhere. */
export const run: CommandRun = async (invocation) => {
  const { environment, screen, json } = invocation;
  const away = await goAway(environment, secondsOption(invocation, "for"));
  if (json) screen.json({ away });
  else screen.print(`${awayText(away)} tenterhook back ends it.`);
};

/** What a user reads while they are away. */
export function awayText({ until }: Away): string {
  const end = until === undefined ? "" : ` until ${new Date(until).toLocaleString()}`;
  return `You are away${end}: questions wait for your answer from elsewhere, also where an agent shows no dialog meanwhile.`;
}
