import { TenterhookError } from "../core/errors.ts";
import type { Transcript } from "../core/transcript.ts";
import type { CommandRun } from "./command.ts";
import type { Task } from "./run-task/work-on.ts";
import { worked } from "./run-task.ts";
import { findSession, sessionStore } from "./sessions/session-store.ts";

/** `tenterhook resume`. */
export const run: CommandRun = async (invocation) => {
  const { names, environment } = invocation;
  const [id = "", ...words] = names;
  const store = sessionStore(environment);
  return worked(invocation, store, async () => {
    const resume = await findSession(store, id);
    return { task: taskFor(resume, words.join(" ").trim()), kept: { resume } };
  });
};

/**
 * What a message means to a session: the answer it waits for, or something new.
 *
 * @throws TenterhookError `usage_error` without a message when it has nothing left to do.
 */
function taskFor({ metadata }: Transcript, message: string): Task {
  if (metadata.status === "suspended") return message === "" ? {} : { answers: message };
  if (message !== "") return message;
  if (metadata.status === "running") return {};
  throw new TenterhookError(
    "usage_error",
    `Session ${metadata.agent_id} has come to its end (${metadata.status}): there is nothing to go on with.`,
    { hint: `Say something to it: tenterhook resume ${metadata.agent_id} "a message".` },
  );
}
