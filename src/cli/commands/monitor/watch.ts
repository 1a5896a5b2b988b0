import { basename } from "node:path";
import { bridgeOfProgram } from "../../../adapters/agents.ts";
import { isTenterhookError, TenterhookError } from "../../../core/base/errors.ts";
import { type CommandRun, type Invocation, textOption } from "../../command-line/command.ts";
import { showFailure } from "../../command-line/failures.ts";
import { startWhenNeeded } from "./daemon/connect.ts";
import { takeName } from "./watch/name.ts";
import { type Ended, runWatched } from "./watch/run-watched.ts";
import { settingsForRun } from "./watch/settings-for-run.ts";

/** `tenterhook watch`. */
export const run: CommandRun = async (invocation) => {
  const { code, signal } = await watch(invocation);
  // A shell sees how the program ended.
  if (signal !== undefined) process.kill(process.pid, signal);
  return code;
};

async function watch(invocation: Invocation): Promise<Ended> {
  const { names, cwd, environment } = invocation;
  const [program, ...args] = names;
  if (program === undefined)
    throw new TenterhookError("usage_error", "Which program?", { hint: "tenterhook watch -- claude" });
  const { agent, release } = takeName(textOption(invocation, "name"), program, environment);
  try {
    const bridge = await bridgeOfProgram(basename(program));
    const settings = await settingsForRun(bridge, agent, args, invocation);
    await startMonitor(invocation);
    const ended = await runWatched({
      agent,
      host: bridge?.adapter.name ?? basename(program),
      hooked: settings.hooked,
      transcript: textOption(invocation, "transcript"),
      program,
      args: settings.args,
      cwd,
      environment: { ...environment, ...settings.variables, TENTERHOOK_AGENT_ID: agent },
      onMissing: (error) => void showFailure(error, { ...invocation, debug: false }),
    });
    settings.remove();
    return ended;
  } finally {
    release();
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
