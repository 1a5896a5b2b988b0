import { setTimeout as sleep } from "node:timers/promises";
import { withoutUndefined } from "../../../core/base/json.ts";
import { type MonitorClient, monitorClient } from "../../../monitor/client.ts";
import { daemonPlace } from "../../../monitor/report/daemon-place.ts";
import { countSpooled, spoolFolder } from "../../../monitor/report/spool.ts";
import { droppedFrom } from "../../../monitor/report/spool-files.ts";
import type { TeamStatus } from "../../../monitor/team/reporter.ts";
import { endOfFile } from "../../../node/files/regular-file.ts";
import {
  actionsOf,
  type CommandRun,
  flagOption,
  type Invocation,
  textOption,
} from "../../command-line/command.ts";
import { mustBePerson } from "../../command-line/person.ts";
import { counted, harmless } from "../../command-line/screen/text.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { followText } from "./agents/follow-text.ts";
import { connected, makeRoom, stopDaemon } from "./daemon/connect.ts";
import { droppedText, startOf, unstoredText } from "./status.ts";

const LOG_BYTES = 100_000;
const POLL_MILLISECONDS = 300;
const FIRST_WORD_MILLISECONDS = 20_000;

export const run: CommandRun = actionsOf(
  new Map<string, CommandRun>([
    ["start", alone(start)],
    ["stop", byPerson(alone(stop))],
    ["restart", byPerson(alone(restart))],
    ["enable", alone(async (one) => (await import("./daemon/switch.ts")).enable(one))],
    ["disable", byPerson(alone(async (one) => (await import("./daemon/switch.ts")).disable(one)))],
    ["status", alone(status)],
    ["logs", alone(logs)],
    ["serve", alone(async (one) => (await import("./team/serve.ts")).serve(one))],
    ["join", async (one) => (await import("./team/join.ts")).join(one)],
    ["leave", byPerson(alone(async (one) => (await import("./team/join.ts")).leave(one)))],
    ["token", async (one) => (await import("./team/token.ts")).token(one)],
    // For the daemon itself.
    ["carry-out", async (invocation) => (await import("./actions/carry-out.ts")).carryOut(invocation)],
  ]),
  "tenterhook monitor start|stop|restart|enable|disable|status|logs|serve|join|leave|token",
);

/** For an action that takes something away from the user. */
function byPerson(action: CommandRun): CommandRun {
  return async (invocation) => {
    await mustBePerson(invocation);
    return action(invocation);
  };
}

/** For an action that takes no further words. */
function alone(action: CommandRun): CommandRun {
  return async (invocation) => {
    const [word] = invocation.names;
    if (word !== undefined)
      throw usageError(
        `There is one word too many: ${JSON.stringify(word)}.`,
        "tenterhook monitor --help shows the usage.",
      );
    return action(invocation);
  };
}

async function start(invocation: Invocation): Promise<number | void> {
  if (!flagOption(invocation, "foreground")) {
    await firstWords(await connected(invocation), invocation);
    return status(invocation);
  }
  const idle = textOption(invocation, "untilIdle");
  if (idle !== undefined && !(await makeRoom(invocation))) return;
  const { runDaemon } = await import("./daemon/foreground.ts");
  await runDaemon(invocation, { idleSeconds: idle === undefined ? undefined : Number(idle) });
}

/** Waits until each channel has said whether it works, for a while. */
async function firstWords(client: MonitorClient, { signal }: Invocation): Promise<void> {
  const latest = performance.now() + FIRST_WORD_MILLISECONDS;
  while (performance.now() < latest && !signal.aborted) {
    const { channels = [] } = (await client.info()) ?? {};
    if (!channels.some(({ unheard }) => unheard)) return;
    await sleep(POLL_MILLISECONDS, undefined, { signal }).catch(() => undefined);
  }
}

/** Starts it anew, with the configuration and the variables of now. */
async function restart(invocation: Invocation): Promise<number | void> {
  await stopDaemon(invocation.environment, invocation.signal);
  return start(invocation);
}

async function stop(invocation: Invocation): Promise<void> {
  const { environment, signal, screen, json } = invocation;
  const running = await stopDaemon(environment, signal);
  if (json) screen.json({ stopped: running });
  else
    screen.print(
      running
        ? "The monitor has stopped. The next call of a hook starts it again; tenterhook monitor disable stops it for good."
        : "The monitor is not running.",
    );
}

async function status({ environment, screen, json }: Invocation): Promise<void> {
  const info = await monitorClient(environment).info();
  const dropped = droppedFrom(spoolFolder(environment));
  if (json) return screen.json({ running: info !== undefined, ...info, ...withoutUndefined({ dropped }) });
  const lost = dropped === undefined ? [] : [`  ${droppedText(dropped)}`];
  if (info === undefined) {
    const waiting = countSpooled(environment);
    screen.print(
      `The monitor is not running. tenterhook monitor start starts it; ${counted(waiting, "event")} in the spool.`,
      ...lost,
    );
    return;
  }
  const { pid, version, url, socket, channels, problem: unstored, team, serves, database } = info;
  screen.print(
    `The monitor is running, ${startOf(info)}: process ${pid}, version ${version}.`,
    ...(url === "" ? [] : [`  ${url}  (the token is in ${daemonPlace(environment).token})`]),
    `  ${socket}`,
    ...(serves === undefined ? [] : [`  ${serves}  (for your team: tenterhook monitor token)`]),
    ...(team === undefined ? [] : [`  ${teamText(team)}`]),
    ...(database === undefined
      ? []
      : [`  ${teamText({ machine: "this machine", ...database, url: database.place })}`]),
    ...(unstored === undefined ? [] : [`  ${unstoredText(unstored)}`]),
    ...lost,
    ...channels.map(
      ({ channel, unheard, problem = unheard ? "has not answered yet" : "works" }) =>
        `  ${channel}: ${harmless(problem)}`,
    ),
  );
}

function teamText({ url, machine, problem }: TeamStatus): string {
  const where = `Reports to ${url} as ${machine}`;
  return problem === undefined
    ? `${where}.`
    : `${where}, but not at the moment; events wait here. ${harmless(problem)}`;
}

async function logs(invocation: Invocation): Promise<void> {
  const { environment, screen, signal } = invocation;
  const { log } = daemonPlace(environment);
  const read = async () => harmless(endOfFile(log, LOG_BYTES));
  const shown = await read();
  screen.write(shown === "" ? "The monitor has written no log.\n" : shown);
  if (flagOption(invocation, "follow")) await followText(shown, read, screen.write, signal);
}
