import { setTimeout as sleep } from "node:timers/promises";
import { type MonitorClient, monitorClient } from "../../../monitor/client.ts";
import { daemonPlace } from "../../../monitor/report/daemon-place.ts";
import { countSpooled, spoolFolder } from "../../../monitor/report/spool.ts";
import { droppedFrom } from "../../../monitor/report/spool-files.ts";
import type { TeamStatus } from "../../../monitor/team/reporter.ts";
import { endOfFile } from "../../../node/files/regular-file.ts";
import {
  type CommandRun,
  flagOption,
  type Invocation,
  type Outcome,
  textOption,
} from "../../command-line/command.ts";
import { mustBePerson } from "../../command-line/person.ts";
import { counted, harmless, shortPath } from "../../command-line/screen/text.ts";
import { followText } from "./agents/follow-text.ts";
import { connected, makeRoom, stopDaemon } from "./daemon/connect.ts";
import { switchOn } from "./daemon/switch.ts";
import { droppedText, startOf, unstoredText } from "./status.ts";

const LOG_BYTES = 100_000;
const POLL_MILLISECONDS = 300;
const FIRST_WORD_MILLISECONDS = 20_000;

export const start: CommandRun = async (invocation) => {
  if (!flagOption(invocation, "foreground")) return startBehind(invocation, true);
  const idle = textOption(invocation, "untilIdle");
  if (idle !== undefined && !(await makeRoom(invocation))) return undefined;
  const { runDaemon } = await import("./daemon/foreground.ts");
  return runDaemon(invocation, { idleSeconds: idle === undefined ? undefined : Number(idle) });
};

/** Starts it in the background; one that does not stay ends when nobody needs it. */
async function startBehind(invocation: Invocation, stays: boolean): Promise<Outcome> {
  await switchOn(invocation);
  await firstWords(await connected(invocation, { stays }), invocation);
  return status(invocation);
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

/** Starts it anew, with the configuration and the variables of now. It ends when nobody needs it only if the one before did. */
export const restart: CommandRun = async (invocation) => {
  const { environment, signal } = invocation;
  await mustBePerson(invocation);
  const before = await monitorClient(environment).info();
  await stopDaemon(environment, signal);
  return startBehind(invocation, before?.started_by !== "call");
};

export const stop: CommandRun = async (invocation) => {
  await mustBePerson(invocation);
  if (flagOption(invocation, "forGood")) return (await import("./daemon/switch.ts")).switchOff(invocation);
  const running = await stopDaemon(invocation.environment, invocation.signal);
  return {
    json: { stopped: running },
    blocks: [
      running
        ? "The daemon has stopped. The next call of a hook starts it again; tenterhook daemon stop --for-good stops it for good."
        : "The daemon is not running.",
    ],
  };
};

export const status: CommandRun = async ({ environment, cwd }) => {
  const info = await monitorClient(environment).info();
  const dropped = droppedFrom(spoolFolder(environment));
  const json = { running: info !== undefined, ...info, dropped };
  const lost = dropped && `  ${droppedText(dropped)}`;
  if (info === undefined) {
    const waiting = countSpooled(environment);
    const text = `The daemon is not running. tenterhook daemon start starts it; ${counted(waiting, "event")} ${waiting === 1 ? "waits" : "wait"} for it.`;
    return { json, blocks: [text, lost] };
  }
  const { pid, version, url, socket, channels, problem: unstored, team, serves, database } = info;
  const blocks = [
    `The daemon is running, ${startOf(info)}: process ${pid}, version ${version}.`,
    url !== "" && `  ${url}  (the token is in ${shortPath(daemonPlace(environment).token, cwd)})`,
    `  ${shortPath(socket, cwd)}`,
    serves && `  ${serves}  (for your team: tenterhook daemon token)`,
    team && `  ${teamText(team)}`,
    database && `  ${teamText({ machine: "this machine", ...database, url: database.place })}`,
    unstored && `  ${unstoredText(unstored)}`,
    lost,
    channels.map(
      ({ channel, unheard, problem = unheard ? "has not answered yet" : "works" }) =>
        `  ${channel}: ${harmless(problem)}`,
    ),
  ];
  return { json, blocks };
};

function teamText({ url, machine, problem }: TeamStatus): string {
  const where = `Reports to ${url} as ${machine}`;
  return problem === undefined
    ? `${where}.`
    : `${where}, but not at the moment; events wait here. ${harmless(problem)}`;
}

export async function logs(invocation: Invocation): Promise<void> {
  const { environment, screen, signal } = invocation;
  const { log } = daemonPlace(environment);
  const read = async () => harmless(endOfFile(log, LOG_BYTES));
  const shown = await read();
  screen.write(shown === "" ? "The daemon has written no log.\n" : shown);
  if (flagOption(invocation, "follow")) await followText(shown, read, screen.write, signal);
}
