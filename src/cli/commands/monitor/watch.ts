import { basename } from "node:path";
import { integrationOfProgram } from "../../../adapters/integrations.ts";
import { loadConfig } from "../../../config.ts";
import { isTenterhookError } from "../../../core/base/errors.ts";
import { guardedEvents, watchedEvents } from "../../../install/needs.ts";
import { HAS_SLOT, takeAgentSlot } from "../../../monitor/agent-slot.ts";
import { monitorClient } from "../../../monitor/client.ts";
import { hasGone } from "../../../monitor/report/agent-process.ts";
import { type Invocation, textOption } from "../../command-line/command.ts";
import { showFailure } from "../../command-line/failures.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { startWhenNeeded } from "./daemon/connect.ts";
import { takeName } from "./watch/name.ts";
import { type Ended, runWatched, type WatchedRun } from "./watch/run-watched.ts";
import { settingsForRun } from "./watch/settings-for-run.ts";

export async function watch(words: readonly string[], invocation: Invocation): Promise<number> {
  const [program, ...args] = words;
  if (program === undefined) throw usageError("Which program?", "tenterhook run -- claude");
  const [name, transcript] = [textOption(invocation, "name"), textOption(invocation, "transcript")];
  const { code, signal } = await watchProgram({ program, args, name, transcript }, invocation);
  // A shell sees how the program ended.
  if (signal !== undefined) process.kill(process.pid, signal);
  return code;
}

interface WatchedProgram extends Pick<WatchedRun, "program" | "args" | "held"> {
  readonly name: string | undefined;
  readonly transcript?: string | undefined;
}

/**
 * Runs a program under the monitor, with hooks for this run.
 *
 * @throws TenterhookError `usage_error` for a name that is invalid or taken; as `settingsForRun` does.
 */
export async function watchProgram(watched: WatchedProgram, invocation: Invocation): Promise<Ended> {
  const { program, args, name, transcript, held } = watched;
  const { cwd, environment, screen, signal } = invocation;
  const { agent, release } = takeName(name, program, environment, await runningAgents(invocation));
  const opened = [release];
  try {
    const { monitor } = (await loadConfig(invocation)).settings;
    const report = (text: string): void => screen.tell(text);
    opened.push(await takeAgentSlot(monitor.max_concurrency, { environment, signal, report }));
    const integration = await integrationOfProgram(basename(program));
    const eventsFor = held === undefined ? watchedEvents : guardedEvents;
    const settings = await settingsForRun(integration, agent, args, invocation, eventsFor);
    opened.push(settings.remove);
    await startMonitor(invocation);
    return await runWatched({
      agent,
      host: integration?.adapter.name ?? basename(program),
      hooked: settings.hooked,
      transcript,
      program,
      args: settings.args,
      cwd,
      environment: { ...environment, ...settings.variables, TENTERHOOK_AGENT_ID: agent, [HAS_SLOT]: "1" },
      onMissing: (error) => void showFailure(error, invocation),
      held,
    });
  } finally {
    for (const close of opened.reverse()) close();
  }
}

/** The agents whose process runs, though what started it may have been killed. None when no daemon answers. */
async function runningAgents({ environment }: Invocation): Promise<ReadonlySet<string>> {
  try {
    const agents = await monitorClient(environment).agents();
    const running = agents.filter(
      (agent) => agent.pid !== undefined && agent.state !== "exited" && !hasGone(agent),
    );
    return new Set(running.map(({ agent_id }) => agent_id));
  } catch {
    return new Set();
  }
}

/** Starts the daemon when none runs. The program runs without it, too: what it reports waits in the spool. */
async function startMonitor({ environment, screen }: Invocation): Promise<void> {
  try {
    await startWhenNeeded(environment);
  } catch (error) {
    if (!isTenterhookError(error)) throw error;
    screen.tell(`${error.message} ${error.hint} The program runs without the monitor.`);
  }
}
