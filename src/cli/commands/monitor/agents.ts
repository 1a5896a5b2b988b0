import { setTimeout as sleep } from "node:timers/promises";
import { endAgent } from "../../../monitor/report/end-agent.ts";
import { pathFromHome } from "../../../node/user-folders.ts";
import type { StateSource } from "../../../shared/monitor/events.ts";
import { AGENT_STATES, type AgentState, type AgentStatus } from "../../../shared/monitor/monitor.ts";
import { ageText } from "../../../terminal/age.ts";
import {
  type CommandRun,
  flagOption,
  type Invocation,
  numberOption,
  textOption,
} from "../../command-line/command.ts";
import { mustBePerson } from "../../command-line/person.ts";
import { rows } from "../../command-line/screen/report.ts";
import { ago, bold, moment, shortPath, timeOfDay } from "../../command-line/screen/text.ts";
import { secondsOption } from "../../command-line/times.ts";
import { unknownName, usageError } from "../../command-line/usage-error.ts";
import { followText } from "./agents/follow-text.ts";
import { named, sendTo } from "./agents/named-agent.ts";
import { outputOf, outputWhileRunning } from "./agents/output.ts";
import { dollars } from "./costs.ts";
import { whatOf } from "./status/agent-lines.ts";
import { hasEnded } from "./status/shown-agents.ts";
import { stateOf } from "./status.ts";

const KILL_MILLISECONDS = 10_000;

export const show: CommandRun = async (invocation) => {
  const { agent, name } = await named(invocation);
  const { agent_id, host, session_id, pid, process, task, usage, error_message, last_output, cwd } = agent;
  return {
    json: agent,
    blocks: [
      bold(name),
      rows(12, [
        ["id", agent_id],
        ["state", stateFor(agent)],
        ["known from", sourceFor(agent)],
        ["asks", agent.state === "prompting" ? whatOf(agent) : undefined],
        ["error", error_message],
        ["program", host],
        ["process", pid && `${pid}${process === undefined ? "" : ` on ${process.host}`}`],
        ["session", session_id],
        ["folder", cwd && shortPath(cwd, invocation.cwd)],
        ["task", task],
        ["tokens", usage?.total_tokens?.toLocaleString("en")],
        ["cost", usage && dollars(usage.cost_usd)],
        ["limits", limitsFor(agent)],
        ["transcript", agent.transcript_path && pathFromHome(agent.transcript_path)],
        ["printed", last_output],
      ]),
    ],
  };
};

/** How much of its user's plan is used, as the agent says. */
function limitsFor({ said }: AgentStatus): string {
  return Object.entries(said?.rate_limits ?? {})
    .map(([name, { used_percentage, resets_at }]) => {
      const end = resets_at === undefined ? "" : `, until ${moment(resets_at)}`;
      return `${name.replaceAll("_", " ")} ${Math.round(used_percentage)} % used${end}`;
    })
    .join("; ");
}

function stateFor(agent: AgentStatus): string {
  return `${stateOf(agent)} for ${ageText(agent.since, Date.now())}`;
}

const SOURCE_TEXTS: Readonly<Record<StateSource, string>> = {
  hook: "a hook",
  transcript: "its transcript",
  inferred: "what it does; no hook said so",
};

/** Where its state is known from, and how old that is. */
function sourceFor({ source, confirmed_at, no_news_since }: AgentStatus): string | undefined {
  if (source === undefined) return undefined;
  const when = source === "inferred" || confirmed_at === undefined ? "" : ` ${ago(confirmed_at)}`;
  const news = no_news_since === undefined ? "" : `; no news since ${timeOfDay(no_news_since)}`;
  return `${SOURCE_TEXTS[source]}${when}${news}`;
}

export async function logs(invocation: Invocation): Promise<void> {
  const { screen, json, signal } = invocation;
  const { agent, name, client } = await named(invocation);
  const most = numberOption(invocation, "n");
  const text = lastLines(await outputOf(agent, invocation), most);
  if (json) screen.jsonLine({ agent_id: agent.agent_id, text });
  else screen.write(text || noOutput(name));
  if (!flagOption(invocation, "follow")) return;
  const write = (more: string): void =>
    json ? screen.jsonLine({ agent_id: agent.agent_id, text: more }) : screen.write(more);
  await followText(text, outputWhileRunning(agent, client, invocation), write, signal);
}

function lastLines(text: string, most: number | undefined): string {
  if (most === undefined) return text;
  const lines = text.trimEnd().split("\n").slice(-most);
  return text === "" ? "" : `${lines.join("\n")}\n`;
}

function noOutput(name: string): string {
  return `No output of ${name} was recorded. Look at its own terminal, or at the file it prints to.\n`;
}

/** What became of a message, by the way that it took. */
const ROUTES: Readonly<Record<string, string>> = {
  woken: "is awake and reads it.",
  joined: "reads it at its next step.",
  resumed: "goes on with it in a new process.",
  next_turn: "is at work, or waits at its own terminal: it reads the message with its next turn.",
};

export const send: CommandRun = async (invocation) => {
  const message = invocation.names.slice(1).join(" ").trim();
  if (message === "") throw usageError("The message is empty.", 'tenterhook agents send AGENT "a message".');
  await mustBePerson(invocation);
  const { agent, name } = await named(invocation);
  const result = await sendTo(agent, name, message, invocation);
  return {
    json: { agent_id: agent.agent_id, ...result },
    blocks: [`${name} ${ROUTES[String(result.route)] ?? "has the message."}`],
  };
};

export const stop: CommandRun = async (invocation) => {
  await mustBePerson(invocation);
  const { agent, name } = await named(invocation);
  const sent = endAgent(agent, name, flagOption(invocation, "force") ? "SIGKILL" : "SIGTERM");
  const ended = await sent.hasEnded(KILL_MILLISECONDS, invocation.signal);
  return {
    json: { agent_id: agent.agent_id, pid: agent.pid, ended },
    blocks: [
      ended ? `${name} has ended.` : `${name} was asked to end and still runs; --force ends it at once.`,
    ],
    code: ended ? 0 : 1,
  };
};

const POLL_MILLISECONDS = 300;
/** The exit codes of `tenterhook agents wait`, besides 0. That of a timeout is the one of timeout(1). */
const OTHERWISE = 1;
const ASKS = 3;
const TIMED_OUT = 124;

/**
 * Waits until the named agent is in a state that is waited for, or can't get there any more.
 *
 * @throws TenterhookError `usage_error` for a wrong option, before the agent is looked for.
 */
export const wait: CommandRun = async (invocation) => {
  const states = wantedStates(textOption(invocation, "state"));
  const seconds = secondsOption(invocation, "timeout") ?? Number.POSITIVE_INFINITY;
  const { agent, name, client } = await named(invocation);
  const latest = performance.now() + seconds * 1000;
  for (let last = agent; ; ) {
    const code = codeOf(last, states) ?? (performance.now() >= latest ? TIMED_OUT : undefined);
    if (code !== undefined) return { json: last, blocks: [`${name}  ${stateOf(last)}`], code };
    await sleep(POLL_MILLISECONDS, undefined, { signal: invocation.signal });
    last = (await client.agents()).find(({ agent_id }) => agent_id === agent.agent_id) ?? last;
  }
};

/** The exit code for an agent in its present state; `undefined` while it is waited for. */
function codeOf(agent: AgentStatus, states: readonly AgentState[] | undefined): number | undefined {
  const { state } = agent;
  if (states?.includes(state) === true) return 0;
  if (states !== undefined) return hasEnded(agent) ? OTHERWISE : undefined;
  switch (state) {
    case "starting":
    case "working":
      return undefined;
    case "prompting":
      return ASKS;
    case "idle":
    case "exited":
      return agent.outcome === "failed" || (agent.exit_code ?? 0) !== 0 ? OTHERWISE : 0;
    case "failed":
    case "gone":
      return OTHERWISE;
    default:
      return state satisfies never;
  }
}

function wantedStates(given: string | undefined): readonly AgentState[] | undefined {
  return given?.split(",").map((word) => {
    const state = AGENT_STATES.find((one) => one === word.trim());
    if (state !== undefined) return state;
    throw unknownName("state", word.trim(), AGENT_STATES, `States: ${AGENT_STATES.join(", ")}.`);
  });
}
