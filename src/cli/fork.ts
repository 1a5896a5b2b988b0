import { forkAt } from "../agent/resume/fork-at.ts";
import { TenterhookError } from "../core/errors.ts";
import { type CommandRun, type Invocation, textOption } from "./command.ts";
import { worked } from "./run-task.ts";
import { findSession, sessionStore } from "./sessions/session-store.ts";

/** `tenterhook fork`. */
export const run: CommandRun = async (invocation) => {
  const { names, environment, json, screen } = invocation;
  const [id = "", ...words] = names;
  const message = words.join(" ").trim();
  const turn = turnOption(invocation);
  const store = sessionStore(environment);
  const fork = async (): Promise<string> =>
    forkAt(store, (await findSession(store, id)).metadata.agent_id, turn);
  if (message !== "")
    return worked(invocation, store, async () => ({
      task: message,
      kept: { resume: await findSession(store, await fork()), source: "fork" },
    }));
  try {
    const agent_id = await fork();
    if (json) screen.json({ agent_id });
    else screen.print(agent_id);
    return undefined;
  } finally {
    await store.close();
  }
};

function turnOption(invocation: Invocation): number | undefined {
  const given = textOption(invocation, "turn");
  if (given === undefined) return undefined;
  const turn = Number(given);
  if (Number.isInteger(turn) && turn >= 1) return turn;
  throw new TenterhookError("usage_error", `--turn must be a whole number of 1 or more, not ${given}.`);
}
