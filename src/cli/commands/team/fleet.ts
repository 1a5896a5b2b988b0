import { userInfo } from "node:os";
import { transcriptsIn } from "../../../agent/transcripts/postgres/postgres-store.ts";
import { answerRun } from "../../../fleet/answer.ts";
import { enqueue, withRuns } from "../../../fleet/open-fleet.ts";
import { findRun } from "../../../fleet/status.ts";
import { cancelRun, retryRun } from "../../../fleet/submit.ts";
import { type CommandRun, flagOption, type Invocation } from "../../command-line/command.ts";
import { mustBePerson } from "../../command-line/person.ts";
import { harmless } from "../../command-line/screen/text.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { messageLines } from "../agent/sessions/actions.ts";
import { answerFrom } from "../agent/sessions/task-for.ts";
import { followText } from "../monitor/agents/follow-text.ts";

const ENDED: readonly string[] = ["done", "failed", "dead", "cancelled"];

export async function logs(invocation: Invocation): Promise<void> {
  const { screen, signal, environment, json } = invocation;
  const [id = ""] = invocation.names;
  await withRuns(invocation.environment, async (database) => {
    const { run_id } = await findRun(database, id);
    const store = transcriptsIn(database, { environment });
    const messages = async () =>
      (await store.load(run_id, { signal, onDamage: () => undefined }))?.messages ?? [];
    if (json) return screen.json({ run_id, messages: await messages() });
    const text = async (): Promise<string> => {
      const lines = (await messages()).flatMap(messageLines).map((line) => `${line.who}: ${line.text}`);
      return lines.length === 0 ? "" : `${harmless(lines.join("\n"))}\n`;
    };
    const shown = await text();
    screen.write(shown);
    if (!flagOption(invocation, "follow")) return undefined;
    let hasEnded = false;
    const read = async (): Promise<string | undefined> => {
      if (hasEnded) return undefined;
      hasEnded = ENDED.includes((await findRun(database, run_id)).state);
      return text();
    };
    return followText(shown, read, screen.write, signal);
  });
}

export const answer: CommandRun = async (invocation) => {
  const [id = ""] = invocation.names;
  const words = invocation.names.slice(1).join(" ").trim();
  if (words === "") throw usageError("The answer is empty.", 'tenterhook fleet answer RUN "yes".');
  await mustBePerson(invocation);
  const who = { by: userInfo().username, channel: "fleet" };
  const queued = await withRuns(invocation.environment, async (database) => {
    const { run_id } = await findRun(database, id);
    return answerRun(database, run_id, (waiting_for) => answerFrom(waiting_for, words), who);
  });
  await enqueue(invocation.environment, queued, invocation.screen.tell);
  return {
    json: { run_id: queued.run, state: "queued" },
    blocks: [`Run ${queued.run} goes on with your answer.`],
  };
};

export const cancel: CommandRun = async (invocation) => {
  const [id = ""] = invocation.names;
  return withRuns(invocation.environment, async (database) => {
    const { run_id, state } = await findRun(database, id);
    const cancelled = await cancelRun(database, run_id);
    const text = cancelled ? `Run ${run_id} is cancelled.` : `Run ${run_id} had ended before: ${state}.`;
    return { json: { run_id, cancelled }, blocks: [text] };
  });
};

export const retry: CommandRun = async (invocation) => {
  const [id = ""] = invocation.names;
  const queued = await withRuns(invocation.environment, async (database) => {
    const { run_id, state } = await findRun(database, id);
    const again = await retryRun(database, run_id);
    if (again !== undefined) return again;
    throw usageError(
      `Run ${run_id} is ${state}.`,
      "Only a run that failed, is dead or was cancelled can be retried.",
    );
  });
  await enqueue(invocation.environment, queued, invocation.screen.tell);
  return {
    json: { run_id: queued.run, state: "queued" },
    blocks: [`Run ${queued.run} is queued again; its agent goes on where it was.`],
  };
};
