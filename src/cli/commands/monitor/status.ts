import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage } from "../../../core/base/error-text.ts";
import { isRecord, withoutUndefined } from "../../../core/base/json.ts";
import { agentNames } from "../../../monitor/agent-name.ts";
import type { MonitorClient } from "../../../monitor/client.ts";
import type { DaemonInfo } from "../../../monitor/daemon/api.ts";
import { callText } from "../../../monitor/decisions/call-text.ts";
import { awayNow } from "../../../monitor/report/away.ts";
import { spoolFolder } from "../../../monitor/report/spool.ts";
import { type Dropped, droppedFrom } from "../../../monitor/report/spool-files.ts";
import type { AgentState, AgentStatus } from "../../../shared/monitor/monitor.ts";
import { type CommandRun, flagOption, type Invocation } from "../../command-line/command.ts";
import { type Column, tableLines } from "../../command-line/screen/table.ts";
import { ago, counted, harmless, harmlessLine, shortPath, wrapped } from "../../command-line/screen/text.ts";
import { awayText } from "./away.ts";
import { costLines, dollars } from "./costs.ts";
import { connected } from "./daemon/connect.ts";

const POLL_MILLISECONDS = 1000;
/** A screen of its own without a cursor, and back. */
const [ENTER, LEAVE] = ["\u001b[?1049h\u001b[?25l", "\u001b[?25h\u001b[?1049l"];
const HOME = "\u001b[H";
const CLEAR_LINE = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";
/** Narrower screens have no room for the column HOST. */
const WIDE_COLUMNS = 100;

export const run: CommandRun = async (invocation) => {
  const { signal, screen, json } = invocation;
  const client = await connected(invocation);
  const watches = flagOption(invocation, "watch");
  if (watches && screen.interactive && !json) return watch(client, invocation);
  for (;;) {
    const { agents, problem, daemon, dropped } = await agentsNow(client, invocation);
    const away = awayNow(invocation.environment);
    const report = { agents, ...withoutUndefined({ problem, dropped, away }) };
    if (json && watches) screen.jsonLine(report);
    else if (json) screen.json(report);
    else {
      screen.print(...lines(agents, invocation), screen.paint.dim(daemonLine(daemon)));
      if (away !== undefined) screen.print(wrapped(awayText(away), screen.width));
      for (const warning of warningsOf(problem, dropped))
        screen.print(screen.paint.red(wrapped(warning, screen.width)));
    }
    if (!watches || (await isOverAfterPause(signal))) return undefined;
  }
};

/** The agents to show, and why what hooks report can't be stored at the moment. */
async function agentsNow(client: MonitorClient, invocation: Invocation) {
  const agents = wanted(await client.agents(), invocation);
  const daemon = await client.info();
  const dropped = droppedFrom(spoolFolder(invocation.environment));
  return { agents, problem: daemon?.problem, daemon, dropped };
}

/** Shows the agents on a screen of its own until the command is ended. The terminal is then as it was before. */
async function watch(client: MonitorClient, invocation: Invocation): Promise<undefined> {
  const { signal, screen } = invocation;
  const restore = (): void => screen.write(LEAVE);
  // A command that does not end in time is ended without its `finally`.
  process.once("exit", restore);
  screen.write(ENTER);
  try {
    do {
      const shown = await agentsNow(client, invocation).then(
        ({ agents, problem, dropped }) => {
          const warning = warningsOf(problem, dropped).flatMap((one) =>
            wrapped(one, screen.width).split("\n"),
          );
          const rest = lines(agents, invocation, screen.height - warning.length);
          return [...rest, ...warning.map(screen.paint.red)];
        },
        // It may be started again.
        (error: unknown) => [
          harmless(errorMessage(error)),
          "",
          "tenterhook monitor start starts the monitor. Trying again every second; Ctrl-C ends this.",
        ],
      );
      screen.write(painted(shown));
    } while (!(await isOverAfterPause(signal)));
  } finally {
    process.off("exit", restore);
    restore();
  }
  return undefined;
}

async function isOverAfterPause(signal: AbortSignal): Promise<boolean> {
  await sleep(POLL_MILLISECONDS, undefined, { signal }).catch(() => undefined);
  return signal.aborted;
}

/** What keeps the list from being true. */
function warningsOf(problem: string | undefined, dropped: Dropped | undefined): readonly string[] {
  return [
    ...(problem === undefined ? [] : [unstoredText(problem)]),
    ...(dropped === undefined ? [] : [droppedText(dropped)]),
  ];
}

/** What a user reads when events were dropped. */
export function droppedText({ events, questions, last }: Dropped): string {
  const asked = questions === 0 ? "" : `, ${questions} of them questions to you`;
  return `${counted(events, "event")} waited for the monitor until there was no room and ${events === 1 ? "was" : "were"} dropped${asked}, the last ${ago(last)}.`;
}

/** What a user reads when the daemon can't store what hooks report. */
export function unstoredText(problem: string): string {
  return `What hooks report can't be stored, so this may be out of date: ${harmlessLine(problem)}`;
}

/** Who started a daemon, and when. */
export function startOf({ started_by, started_at }: DaemonInfo): string {
  return `started ${started_by === "call" ? "by a call of a hook " : ""}${ago(started_at)}`;
}

/** What a user reads about the daemon that decides calls. */
function daemonLine(daemon: DaemonInfo | undefined): string {
  if (daemon === undefined) return "No daemon runs; each call is decided by a process of its own.";
  return `The daemon decides calls of hooks: process ${daemon.pid}, ${startOf(daemon)}.`;
}

/** Lines over what the screen shows now, without a moment in which it is empty. */
function painted(all: readonly string[]): string {
  return `${HOME}${all.map((line) => `${line}${CLEAR_LINE}`).join("\n")}${CLEAR_BELOW}`;
}

/** What needs a human comes first. */
const ORDER: readonly AgentState[] = ["prompting", "failed", "gone", "idle", "working", "starting", "exited"];

const ENDED: readonly AgentState[] = ["exited", "gone"];
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Agents that ended more than a day ago are shown with `--all` only. */
function wanted(agents: readonly AgentStatus[], invocation: Invocation): readonly AgentStatus[] {
  const all = flagOption(invocation, "all");
  const isOld = ({ state, since }: AgentStatus): boolean =>
    ENDED.includes(state) && Date.now() - Date.parse(since) > DAY_MILLISECONDS;
  return agents
    .filter((agent) => all || !isOld(agent))
    .sort(
      (one, other) =>
        ORDER.indexOf(one.state) - ORDER.indexOf(other.state) || (one.since < other.since ? -1 : 1),
    );
}

/** @param height how many lines there is room for: those that need nobody are left out first. */
function lines(
  agents: readonly AgentStatus[],
  { screen, cwd }: Invocation,
  height = Number.POSITIVE_INFINITY,
): readonly string[] {
  if (agents.length === 0)
    return ["No agent was seen. Agents report here when your configuration has a monitor section."];
  const { bold, dim, red, yellow } = screen.paint;
  const names = agentNames(agents);
  const columns: readonly Column<AgentStatus>[] = [
    { title: "AGENT", cell: ({ agent_id }) => harmlessLine(names.get(agent_id) ?? agent_id), least: 12 },
    ...(screen.width < WIDE_COLUMNS ? [] : [HOST]),
    { title: "STATE", cell: stateOf },
    { title: "SINCE", cell: ({ since }) => ago(since).replace(" ago", ""), right: true },
    {
      title: "FOLDER",
      cell: ({ cwd: folder }) => (folder === undefined ? "-" : harmlessLine(shortFolder(folder, cwd))),
      least: 12,
    },
    ...(agents.some(({ usage }) => usage !== undefined)
      ? [
          { title: "LEFT", cell: leftOf, right: true } as const,
          { title: "COST", cell: ({ usage }: AgentStatus) => dollars(usage?.cost_usd), right: true } as const,
        ]
      : []),
    { title: "WHAT", cell: (agent) => harmlessLine(whatOf(agent)), least: 12 },
  ];
  const costs = costLines(agents).flatMap((line) => wrapped(harmlessLine(line), screen.width).split("\n"));
  const room = Math.max(1, height - OTHER_LINES - costs.length);
  const shown = agents.length > room ? agents.slice(0, room - 1) : agents;
  const left = agents.length - shown.length;
  const [head = "", ...rows] = tableLines(columns, shown, screen.width);
  const asking = agents.filter(({ state }) => state === "prompting").length;
  return [
    bold(head),
    ...rows.map((row, at) => {
      const state = shown[at]?.state;
      if (state === "prompting") return yellow(row);
      return state === "failed" || state === "gone" ? red(row) : row;
    }),
    ...(left === 0 ? [] : [dim(`… and ${counted(left, "more agent")}`)]),
    "",
    dim(
      `${counted(agents.length, "agent")}, ${asking} asking you.${asking > 0 ? " tenterhook decisions list shows what they ask." : ""}`,
    ),
    ...costs.map(dim),
  ];
}

/** A folder as people know it; of a long path, its end. */
function shortFolder(folder: string, cwd: string): string {
  const short = folder === cwd ? "." : shortPath(folder, cwd);
  return short.length > LONGEST_FOLDER ? `…/${basename(short)}` : short;
}

const LONGEST_FOLDER = 30;

/** The head, an empty line and the line below the table. */
const OTHER_LINES = 3;

const HOST: Column<AgentStatus> = { title: "HOST", cell: ({ host = "-" }) => harmlessLine(host) };

export function stateOf({ state, prompt_type, error_type, exit_code, outcome }: AgentStatus): string {
  const own = { prompting: prompt_type, failed: error_type, exited: outcome ?? codeOf(exit_code) }[
    String(state)
  ];
  const detail = own ?? outcome;
  return detail === undefined ? state : `${state} (${String(detail).replaceAll("_", " ")})`;
}

function codeOf(exit_code: number | undefined): string | undefined {
  return exit_code === undefined ? undefined : `code ${exit_code}`;
}

/** How much of its context is left; where nobody knows that, how many tokens it has used. */
function leftOf({ usage: { context_left, total_tokens } = {} }: AgentStatus): string {
  if (typeof context_left === "number") return `${Math.round(context_left * 100)} %`;
  return total_tokens === undefined ? "-" : `${Math.ceil(total_tokens / 1000)}k used`;
}

export function whatOf({ question, error_message }: AgentStatus): string {
  if (error_message !== undefined) return error_message;
  const [first] = [question].flat();
  if (isRecord(first) && typeof first.tool_name === "string")
    return callText(first.tool_name, first.tool_input);
  if (isRecord(first)) return String(first.question ?? "");
  return typeof first === "string" ? first : "";
}
