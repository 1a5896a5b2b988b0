import type { CommandRun } from "../../command-line/command.ts";
import { mustBePerson } from "../../command-line/started-by.ts";
import { runTask } from "./run.ts";
import { answerInFile } from "./sessions/answer-file.ts";
import { findSession, sessionReading, sessionStore } from "./sessions/session-store.ts";
import { taskFor } from "./sessions/task-for.ts";

export const run: CommandRun = async (invocation) => {
  const { names, environment } = invocation;
  const [id = "", ...words] = names;
  const message = words.join(" ").trim();
  const store = sessionStore(environment);
  const reading = sessionReading(invocation);
  return runTask(invocation, store, async () => {
    const answer = answerInFile(invocation, message);
    if (answer !== undefined) await mustBePerson(invocation);
    const resume = await findSession(store, id, reading.read);
    const task = answer ?? (await taskFor(resume, message, invocation, store));
    return { task, resumed: { resume }, lost: reading.lost };
  });
};
