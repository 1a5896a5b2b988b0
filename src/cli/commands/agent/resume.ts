import type { CommandRun } from "../../command-line/command.ts";
import { worked } from "./run.ts";
import { findSession, sessionReading, sessionStore } from "./sessions/session-store.ts";
import { taskFor } from "./sessions/task-for.ts";

/** `tenterhook resume`. */
export const run: CommandRun = async (invocation) => {
  const { names, environment } = invocation;
  const [id = "", ...words] = names;
  const store = sessionStore(environment);
  const reading = sessionReading(invocation);
  return worked(invocation, store, async () => {
    const resume = await findSession(store, id, reading.read);
    const task = await taskFor(resume, words.join(" ").trim(), invocation, store);
    return { task, resumed: { resume }, lost: reading.lost };
  });
};
