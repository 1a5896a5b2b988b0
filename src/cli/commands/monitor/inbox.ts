import { capText } from "../../../core/base/text.ts";
import { type DecisionOption, readQuestion } from "../../../core/contracts/questions.ts";
import { agentName } from "../../../monitor/agent-name.ts";
import { elsewhereOf, isAnsweredHere } from "../../../monitor/decisions/elsewhere.ts";
import { findDecision, MOST_DECISIONS, shownId } from "../../../monitor/decisions/find.ts";
import { outcomeOf } from "../../../monitor/decisions/receipt.ts";
import { SOURCES } from "../../../monitor/report/sources.ts";
import type { AgentStatus, HumanRequest } from "../../../shared/monitor/monitor.ts";
import { type CommandRun, flagOption, type Invocation, numberOption } from "../../command-line/command.ts";
import { type Block, type Report, type Row, rows } from "../../command-line/screen/report.ts";
import {
  ago,
  bold,
  cut,
  dim,
  fitted,
  harmless,
  harmlessLine,
  quoted,
  shortPath,
} from "../../command-line/screen/text.ts";
import { connected } from "./daemon/connect.ts";
import { decisionLines } from "./decisions/decision-lines.ts";
import { firstChoice } from "./status/next-steps.ts";

/** More of a question than anybody reads; --json prints all of it. */
const MOST_QUESTION = 4000;
const QUOTED_COLUMNS = 4;

/** `tenterhook inbox`: what agents ask; with an id, one question. */
export const run: CommandRun = async (invocation) => {
  const [id] = invocation.names;
  return id === undefined ? list(invocation) : show(id, invocation);
};

async function list(invocation: Invocation): Promise<Report> {
  const client = await connected(invocation);
  const all = flagOption(invocation, "all");
  const most = numberOption(invocation, "n") ?? MOST_DECISIONS;
  const decisions = await client.decisions(all ? "all" : "open", most);
  if (decisions.length === 0) return { json: { decisions }, blocks: ["No agent asks you anything."] };
  const isAnswerable = decisions.some((one) => one.state === "open" && isAnsweredHere(one));
  return {
    json: { decisions },
    blocks: [
      decisionLines(decisions),
      "",
      dim("  tenterhook inbox ID shows all of one."),
      isAnswerable && dim("  tenterhook answer ID CHOICE answers it."),
      decisions.length === most && dim(`  These are the newest ${most}: -n ${10 * most} shows more.`),
    ],
  };
}

async function show(id: string, invocation: Invocation): Promise<Report> {
  const client = await connected(invocation);
  const decisions = await client.decisionsLike(id);
  const decision = findDecision(decisions, id);
  const agents = invocation.json ? [] : await client.agents();
  const agent = agents.find(({ agent_id }) => agent_id === decision.agent_id);
  return { json: decision, blocks: questionBlocks(decision, agent, decisions, invocation.cwd) };
}

function questionBlocks(
  decision: HumanRequest,
  agent: AgentStatus | undefined,
  all: readonly HumanRequest[],
  cwd: string,
): readonly Block[] {
  const elsewhere = elsewhereOf(decision, agent);
  const id = shownId(decision.id, all);
  const { source, context, options, questions = [], state, created_at, resolved } = decision;
  const answer = elsewhere
    ? `${elsewhere} tenterhook answer ${id} dismiss takes it off this list.`
    : `tenterhook answer ${id} ${firstChoice(decision)}`;
  return [
    ({ width }) => {
      // A long name must not go on in a line that could be one of ours.
      const who = cut(harmlessLine(agentName(decision)), Math.floor(width / 2));
      return [`${bold(who)} ${SOURCES[source].title}  ${dim(`${id}, ${ago(created_at)}`)}`];
    },
    foreignRows([["folder", decision.cwd && shortPath(decision.cwd, cwd)]]),
    ({ width }) => (context === "" ? [] : [quotedLines(context, width)]),
    foreignRows([
      ...questions
        .map(readQuestion)
        .flatMap(({ question = "", options: own }): readonly Row[] => [
          ["asks", capText(question, MOST_QUESTION)],
          ...own.map(optionRow),
        ]),
      ...options.map(optionRow),
      state === "open" ? ["answer", answer] : ["closed", `${outcomeOf(decision)} ${resolved?.at ?? ""}`],
    ]),
  ];
}

/** What agents wrote breaks also within words, so that no line of it begins where ours do. */
function foreignRows(list: readonly Row[]): Block {
  return rows(10, list, { wrap: fitted });
}

/** What an agent said, with a mark before each line of the screen. */
function quotedLines(text: string, width: number): string {
  const lines = quoted(fitted(harmless(text.replaceAll("\r\n", "\n")), width - QUOTED_COLUMNS)).split("\n");
  return lines.map((line) => `  ${line}`).join("\n");
}

function optionRow({ label, description, recommended }: DecisionOption, at: number): Row {
  const text = harmlessLine(`${label}${description === undefined ? "" : `: ${description}`}`);
  return [`  ${at + 1}`, `${text}${recommended === true ? " (recommended)" : ""}`];
}
