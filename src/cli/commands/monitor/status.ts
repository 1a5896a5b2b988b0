import { setTimeout as sleep } from "node:timers/promises";
import { unguardedText } from "../../../adapters/unguarded-agents.ts";
import { foundUnguarded } from "../../../install/found-agents.ts";
import type { DaemonInfo } from "../../../monitor/api/api.ts";
import type { MonitorClient } from "../../../monitor/client.ts";
import { type Away, awayNow } from "../../../monitor/report/away.ts";
import { spoolFolder } from "../../../monitor/report/spool.ts";
import { type Dropped, droppedFrom } from "../../../monitor/report/spool-files.ts";
import { groupOf, inOrder } from "../../../shared/monitor/agent-groups.ts";
import type { AgentStatus, HumanRequest } from "../../../shared/monitor/monitor.ts";
import { countsOf } from "../../../terminal/agent-groups.ts";
import { type CommandRun, flagOption, type Invocation } from "../../command-line/command.ts";
import { type Block, paragraph, steps } from "../../command-line/screen/report.ts";
import { ago, bold, counted, dim, harmlessLine, red, yellow } from "../../command-line/screen/text.ts";
import { guardOf, guardSentence } from "../../configured-hooks/guard.ts";
import { whyNotAsked } from "../../integrations/daemon-decides.ts";
import { awayText } from "./away.ts";
import { costLines } from "./costs.ts";
import { connected } from "./daemon/connect.ts";
import { agentLines } from "./status/agent-lines.ts";
import { nextSteps } from "./status/next-steps.ts";
import { endedSince, lastLook, noteLook, shownAgents } from "./status/shown-agents.ts";

const POLL_MILLISECONDS = 1000;

export const run: CommandRun = async (invocation) => {
  const { signal, screen, json, environment } = invocation;
  const watches = flagOption(invocation, "watch");
  if (watches && screen.interactive && !json) return top(invocation);
  const client = await connected(invocation);
  for (;;) {
    const now = await agentsNow(client, invocation);
    const { agents, problem, dropped } = now;
    const away = awayNow(environment);
    const found = { agents, problem, dropped, away };
    // People watch on a terminal; programs read one report after another.
    if (!watches || !json) return { json: found, blocks: json ? [] : await blocksOf(now, away, invocation) };
    screen.jsonLine(found);
    await sleep(POLL_MILLISECONDS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return undefined;
  }
};

async function blocksOf(
  { agents, open, problem, daemon, dropped }: Awaited<ReturnType<typeof agentsNow>>,
  away: Away | undefined,
  invocation: Invocation,
): Promise<readonly Block[]> {
  const { environment, screen, cwd } = invocation;
  const { judgement, config } = await guardOf(invocation);
  const alone = decidesAlone(daemon, environment, config.settings.daemon);
  const listed = agentBlocks(agents, open, invocation);
  if (screen.interactive) await noteLook(environment, Date.now());
  const next = nextSteps(agents, open);
  return [
    listed,
    paragraph(guardSentence(judgement, cwd)),
    alone && paragraph(alone, dim),
    away && awayText(away),
    foundUnguarded(invocation).map((one) => yellow(unguardedText(one))),
    warningsOf(problem, dropped).map(red),
    next.length > 0 && ["", steps(next)],
  ];
}

/** `tenterhook agents -w`: the same agents on a screen that stays open. Without a terminal, the list. */
export const top: CommandRun = async (invocation) => {
  const { screen, json, signal, environment } = invocation;
  if (!screen.interactive || json) return run(invocation);
  const client = await connected(invocation);
  const [{ monitorPort }, { showTop }] = await Promise.all([
    import("./top/monitor-port.ts"),
    import("../../../terminal/screens.ts"),
  ]);
  const list = async () => {
    const { agents, problem, dropped } = await agentsNow(client, invocation);
    return { agents, warnings: warningsOf(problem, dropped) };
  };
  const port = monitorPort(client, list, environment);
  try {
    await showTop(port, screen.paint, signal);
  } finally {
    await port.close();
  }
};

/** The agents to show, and why what hooks report can't be stored at the moment. */
async function agentsNow(client: MonitorClient, invocation: Invocation) {
  const all = await client.agents();
  const open = await client.decisions("open");
  const asking = new Set(open.map(({ agent_id }) => agent_id));
  const shown = new Set(shownAgents(all, lastLook(invocation.environment), Date.now()));
  const isShown = (agent: AgentStatus): boolean => shown.has(agent) || asking.has(agent.agent_id);
  const agents = inOrder(flagOption(invocation, "all") ? all : all.filter(isShown), (agent) => [
    agent,
    asking.has(agent.agent_id),
  ]);
  const daemon = await client.info();
  const dropped = droppedFrom(spoolFolder(invocation.environment));
  return { agents, open, problem: daemon?.problem, daemon, dropped };
}

/** Why calls do not ask the daemon; `undefined` when they do. */
function decidesAlone(
  daemon: DaemonInfo | undefined,
  environment: NodeJS.ProcessEnv,
  isOn: boolean,
): string | undefined {
  if (daemon === undefined) return "No daemon runs; each call starts its own process.";
  const problem = whyNotAsked(daemon, environment, isOn);
  return problem && `Each call starts its own process: ${problem}`;
}

/** What keeps the list from being true. */
function warningsOf(problem: string | undefined, dropped: Dropped | undefined): readonly string[] {
  return [
    ...(problem === undefined ? [] : [unstoredText(problem)]),
    ...(dropped === undefined ? [] : [droppedText(dropped)]),
  ];
}

export function droppedText({ events, questions, last }: Dropped): string {
  const asked = questions === 0 ? "" : `, ${questions} of them questions to you`;
  return `${counted(events, "event")} waited for the monitor until there was no room and ${events === 1 ? "was" : "were"} dropped${asked}, the last ${ago(last)}.`;
}

export function unstoredText(problem: string): string {
  return `What hooks report can't be stored, so this may be out of date: ${harmlessLine(problem)}`;
}

export function startOf({ started_by, started_at }: DaemonInfo): string {
  return `started ${started_by === "call" ? "when it was needed, " : ""}${ago(started_at)}`;
}

function agentBlocks(
  agents: readonly AgentStatus[],
  open: readonly HumanRequest[],
  { environment }: Invocation,
): readonly Block[] {
  if (agents.length === 0)
    return [
      paragraph("No agent has run yet. tenterhook install, then start one; or: tenterhook run -- claude"),
    ];
  const asking = new Set(open.map(({ agent_id }) => agent_id));
  const counts = countsOf(agents.map((agent) => groupOf(agent, asking.has(agent.agent_id))))
    .map(({ text }) => text)
    .join(" · ");
  const lookedAt = lastLook(environment);
  const ended = endedSince(agents, lookedAt).length;
  const news = ended === 0 ? [] : [`${ended} ended since you last looked, ${ago(lookedAt ?? "")}.`];
  return [
    `  ${bold(counts)}`,
    "",
    agentLines(agents, asking),
    "",
    ...[...news, ...costLines(agents)].map((line) => paragraph(harmlessLine(line), dim)),
  ];
}

/** A state with what belongs to it: `prompting (permission)`. */
export function stateOf({ state, prompt_type, error_type, exit_code, outcome }: AgentStatus): string {
  const code = exit_code === undefined ? undefined : `code ${exit_code}`;
  const own = { prompting: prompt_type, failed: error_type, exited: outcome ?? code }[String(state)];
  const detail = own ?? outcome;
  return detail === undefined ? state : `${state} (${String(detail).replaceAll("_", " ")})`;
}
