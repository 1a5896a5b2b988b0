import { userInfo } from "node:os";
import { transcriptsIn } from "../../../agent/transcripts/postgres/postgres-store.ts";
import { answerRun } from "../../../fleet/answer.ts";
import { enqueue, withRuns } from "../../../fleet/open-fleet.ts";
import { findRun } from "../../../fleet/status.ts";
import { cancelRun, retryRun } from "../../../fleet/submit.ts";
import { actionsOf, type CommandRun, flagOption, type Invocation } from "../../command-line/command.ts";
import { mustBePerson } from "../../command-line/person.ts";
import { harmless } from "../../command-line/screen/text.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { messageLines } from "../agent/sessions/actions.ts";
import { answerFrom } from "../agent/sessions/task-for.ts";
import { followText } from "../monitor/agents/follow-text.ts";

export const run: CommandRun = actionsOf(
  new Map<string, CommandRun>([
    ["submit", async (one) => (await import("./fleet/submit.ts")).submit(one)],
    ["worker", async (one) => (await import("./fleet/worker.ts")).work(one)],
    ["status", async (one) => (await import("./fleet/status.ts")).status(one)],
    ["logs", logs],
    ["answer", answer],
    ["cancel", cancel],
    ["retry", retry],
    // For workers themselves.
    ["run-program", async (one) => (await import("./fleet/held-program.ts")).runHeldProgram(one)],
  ]),
  "tenterhook fleet submit|worker|status|logs|answer|cancel|retry",
  "status",
);

const ENDED: readonly string[] = ["done", "failed", "dead", "cancelled"];

/** @throws TenterhookError `usage_error` without an id. */
function idOf({ names: [id = ""] }: Invocation, usage: string): string {
  if (id !== "") return id;
  throw usageError(
    "Which run? Its id is missing.",
    `tenterhook fleet status lists them; then: tenterhook fleet ${usage}.`,
  );
}

async function logs(invocation: Invocation): Promise<void> {
  const { screen, signal, environment, json } = invocation;
  const id = idOf(invocation, "logs RUN");
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

async function answer(invocation: Invocation): Promise<void> {
  const { screen, json } = invocation;
  const id = idOf(invocation, 'answer RUN "yes"');
  const words = invocation.names.slice(1).join(" ").trim();
  if (words === "") throw usageError("The answer is empty.", 'tenterhook fleet answer RUN "yes".');
  await mustBePerson(invocation);
  const who = { by: userInfo().username, channel: "fleet" };
  const queued = await withRuns(invocation.environment, async (database) => {
    const { run_id } = await findRun(database, id);
    return answerRun(database, run_id, (waiting_for) => answerFrom(waiting_for, words), who);
  });
  await enqueue(invocation.environment, queued, screen.tell);
  if (json) screen.json({ run_id: queued.run, state: "queued" });
  else screen.print(`Run ${queued.run} goes on with your answer.`);
}

async function cancel(invocation: Invocation): Promise<void> {
  const { screen, json } = invocation;
  const id = idOf(invocation, "cancel RUN");
  await withRuns(invocation.environment, async (database) => {
    const { run_id, state } = await findRun(database, id);
    const cancelled = await cancelRun(database, run_id);
    if (json) screen.json({ run_id, cancelled });
    else
      screen.print(cancelled ? `Run ${run_id} is cancelled.` : `Run ${run_id} had ended before: ${state}.`);
  });
}

async function retry(invocation: Invocation): Promise<void> {
  const { screen, json } = invocation;
  const id = idOf(invocation, "retry RUN");
  const queued = await withRuns(invocation.environment, async (database) => {
    const { run_id, state } = await findRun(database, id);
    const again = await retryRun(database, run_id);
    if (again !== undefined) return again;
    throw usageError(
      `Run ${run_id} is ${state}.`,
      "Only a run that failed, is dead or was cancelled can be retried.",
    );
  });
  await enqueue(invocation.environment, queued, screen.tell);
  if (json) screen.json({ run_id: queued.run, state: "queued" });
  else screen.print(`Run ${queued.run} is queued again; its agent goes on where it was.`);
}
