import { setTimeout as sleep } from "node:timers/promises";
import { isRecord } from "../../../core/base/json.ts";
import type { AgentState, AgentStatus } from "../../../core/contracts/monitor.ts";
import { type CommandRun, flagOption, type Invocation } from "../../command-line/command.ts";
import { type Column, tableLines } from "../../command-line/screen/table.ts";
import { ago, counted, harmless, shortPath } from "../../command-line/screen/text.ts";
import { connected } from "./daemon/connect.ts";

const POLL_MILLISECONDS = 1000;
const CLEAR = "\u001b[H\u001b[2J";

/** `tenterhook status`. */
export const run: CommandRun = async (invocation) => {
  const { environment, signal, screen, json } = invocation;
  const client = await connected(environment, signal);
  const watches = flagOption(invocation, "watch");
  for (;;) {
    const agents = wanted(await client.agents(), invocation);
    if (json && watches) screen.jsonLine({ agents });
    else if (json) screen.json({ agents });
    else
      screen.write(`${watches && screen.interactive ? CLEAR : ""}${lines(agents, invocation).join("\n")}\n`);
    if (!watches) return undefined;
    await sleep(POLL_MILLISECONDS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return undefined;
  }
};

/** What needs a human comes first. */
const ORDER: readonly AgentState[] = [
  "prompting",
  "failed",
  "gone",
  "waiting",
  "working",
  "starting",
  "exited",
];

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

function lines(agents: readonly AgentStatus[], { screen, cwd }: Invocation): readonly string[] {
  if (agents.length === 0)
    return ["No agent was seen. Agents report here when your configuration has a monitor section."];
  const { bold, dim, red, yellow } = screen.paint;
  const columns: readonly Column<AgentStatus>[] = [
    { title: "AGENT", cell: ({ agent_id }) => harmless(agent_id), least: 12 },
    { title: "HOST", cell: ({ host = "-" }) => harmless(host) },
    { title: "STATE", cell: stateOf },
    { title: "SINCE", cell: ({ since }) => ago(since), right: true },
    {
      title: "FOLDER",
      cell: ({ cwd: folder }) => (folder === undefined ? "-" : harmless(shortPath(folder, cwd))),
      least: 12,
    },
    ...(agents.some(({ usage }) => usage !== undefined)
      ? [
          { title: "LEFT", cell: leftOf, right: true } as const,
          { title: "COST", cell: costOf, right: true } as const,
        ]
      : []),
    { title: "WHAT", cell: (agent) => harmless(whatOf(agent)).replace(/\s+/g, " "), least: 12 },
  ];
  const [head = "", ...rows] = tableLines(columns, agents, screen.width);
  const waiting = agents.filter(({ state }) => state === "prompting").length;
  return [
    bold(head),
    ...rows.map((row, at) => {
      const state = agents[at]?.state;
      if (state === "prompting") return yellow(row);
      return state === "failed" || state === "gone" ? red(row) : row;
    }),
    "",
    dim(
      `${counted(agents.length, "agent")}, ${waiting} waiting for a human.${waiting > 0 ? " tenterhook decisions list shows what they ask." : ""}`,
    ),
  ];
}

function stateOf({ state, prompt_type, error_type, exit_code, outcome }: AgentStatus): string {
  const own = { prompting: prompt_type, failed: error_type, exited: outcome ?? exit_code }[String(state)];
  const detail = own ?? outcome;
  return detail === undefined ? state : `${state} (${String(detail).replaceAll("_", " ")})`;
}

/** How much of its context is left; where nobody knows that, how many tokens it has used. */
function leftOf({ usage: { context_left, total_tokens } = {} }: AgentStatus): string {
  if (typeof context_left === "number") return `${Math.round(context_left * 100)} %`;
  return total_tokens === undefined ? "-" : `${Math.ceil(total_tokens / 1000)}k used`;
}

function costOf({ usage: { cost_usd } = {} }: AgentStatus): string {
  return cost_usd === undefined ? "-" : `$${cost_usd.toFixed(2)}`;
}

function whatOf({ question, error_message }: AgentStatus): string {
  if (error_message !== undefined) return error_message;
  const [first] = [question].flat();
  if (isRecord(first)) return String(first.question ?? first.tool_name ?? "");
  return typeof first === "string" ? first : "";
}
