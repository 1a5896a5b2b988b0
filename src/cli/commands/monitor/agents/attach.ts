import { TenterhookError } from "../../../../core/base/errors.ts";
import { askLine } from "../../../command-line/ask-line.ts";
import type { CommandRun } from "../../../command-line/command.ts";
import { mustBePerson } from "../../../command-line/person.ts";
import { harmless } from "../../../command-line/screen/text.ts";
import { hasEnded } from "../status/shown-agents.ts";
import { followText } from "./follow-text.ts";
import { named, sendTo } from "./named-agent.ts";
import { outputOf, outputWhileRunning } from "./output.ts";

/**
 * Shows an agent of ours as it works; what is typed is sent to it. One whose process has ended goes on here, as
 * `tenterhook sessions resume` does it.
 *
 * @throws TenterhookError `agent_unreachable` for another program's agent, which has its own terminal.
 */
export const run: CommandRun = async (invocation) => {
  const { agent, name, client } = await named(invocation);
  const { screen, signal } = invocation;
  const { host, session_id = "", suspended } = agent;
  if (host !== "tenterhook")
    throw new TenterhookError(
      "agent_unreachable",
      `${name} is not the built-in agent: it has its own terminal.`,
      {
        hint: "tenterhook agents logs ID -f shows what it does, tenterhook agents send ID gives it a message.",
      },
    );
  if (hasEnded(agent) || suspended === true)
    return (await import("../../agent/resume.ts")).run({
      ...invocation,
      names: [session_id, ...invocation.names.slice(1)],
    });
  if (screen.interactive) await mustBePerson(invocation);
  const shown = await outputOf(agent, invocation);
  screen.write(shown);
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const typed = screen.interactive ? sendTyped() : Promise.resolve();
  try {
    await followText(shown, outputWhileRunning(agent, client, invocation), screen.write, signal);
  } finally {
    // Also when the monitor does not answer any more: nobody must be left at a prompt.
    over.abort();
    await typed;
  }

  async function sendTyped(): Promise<void> {
    while (!until.aborted) {
      const line = await askLine("> ", until).catch(() => undefined);
      // The end of the input leaves the agent alone; it goes on.
      if (line === undefined) return;
      if (line.trim() === "") continue;
      await sendTo(agent, name, line.trim(), { ...invocation, signal: until }).catch((error: unknown) => {
        if (!(error instanceof TenterhookError)) throw error;
        screen.tell(harmless(error.message));
      });
    }
  }
};
