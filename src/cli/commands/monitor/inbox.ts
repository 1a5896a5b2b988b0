import { capText } from "../../../core/base/text.ts";
import { type DecisionOption, readQuestion } from "../../../core/contracts/questions.ts";
import { agentName } from "../../../monitor/agent-name.ts";
import { elsewhereOf, isAnsweredHere } from "../../../monitor/decisions/elsewhere.ts";
import { findDecision, MOST_DECISIONS, shownId } from "../../../monitor/decisions/find.ts";
import { outcomeOf } from "../../../monitor/decisions/receipt.ts";
import { SOURCES } from "../../../monitor/report/sources.ts";
import type { AgentStatus, HumanRequest } from "../../../shared/monitor/monitor.ts";
import { flagOption, type Invocation, numberOption } from "../../command-line/command.ts";
import { pageWide } from "../../command-line/screen/screen.ts";
import {
  ago,
  cut,
  fitted,
  hanging,
  harmless,
  harmlessLine,
  quoted,
  shortPath,
  wrapped,
} from "../../command-line/screen/text.ts";
import { connected } from "./daemon/connect.ts";
import { decisionLines } from "./decisions/decision-lines.ts";
import { firstChoice } from "./status/next-steps.ts";

/** More of a question than anybody reads; --json prints all of it. */
const MOST_QUESTION = 4000;
const QUOTED_COLUMNS = 4;

/** `tenterhook inbox`: what agents ask; with an id, one question. */
export async function run(invocation: Invocation): Promise<void> {
  const [id] = invocation.names;
  return id === undefined ? list(invocation) : show(id, invocation);
}

async function list(invocation: Invocation): Promise<void> {
  const { json } = invocation;
  const screen = pageWide(invocation.screen);
  const client = await connected(invocation);
  const all = flagOption(invocation, "all");
  const most = numberOption(invocation, "n") ?? MOST_DECISIONS;
  const decisions = await client.decisions(all ? "all" : "open", most);
  if (json) return screen.json({ decisions });
  if (decisions.length === 0) return screen.print("No agent asks you anything.");
  screen.print(...decisionLines(decisions, screen), "");
  const isAnswerable = decisions.some((one) => one.state === "open" && isAnsweredHere(one));
  const hints = [
    "tenterhook inbox ID shows all of one.",
    ...(isAnswerable ? ["tenterhook answer ID CHOICE answers it."] : []),
    ...(decisions.length === most ? [`These are the newest ${most}: -n ${10 * most} shows more.`] : []),
  ];
  for (const hint of hints) screen.print(screen.paint.dim(wrapped(hint, screen.width, "  ")));
}

async function show(id: string, invocation: Invocation): Promise<void> {
  const { screen, json } = invocation;
  const client = await connected(invocation);
  const decisions = await client.decisionsLike(id);
  const decision = findDecision(decisions, id);
  if (json) screen.json(decision);
  else print(decision, invocation, { all: decisions, agents: await client.agents() });
}

function print(
  decision: HumanRequest,
  { screen, cwd }: Invocation,
  { all, agents }: { readonly all: readonly HumanRequest[]; readonly agents: readonly AgentStatus[] },
): void {
  const elsewhere = elsewhereOf(
    decision,
    agents.find(({ agent_id }) => agent_id === decision.agent_id),
  );
  const id = shownId(decision.id, all);
  const { source, context, options, questions = [], state, created_at, resolved } = decision;
  const { bold, dim } = screen.paint;
  const line = (name: string, text: string): void =>
    screen.print(hanging(dim(name), harmless(text), screen.width, 10, fitted));
  // A long name must not go on in a line that could be one of ours.
  const agent = cut(harmlessLine(agentName(decision)), Math.floor(screen.width / 2));
  const title = `${bold(agent)} ${SOURCES[source].title}  ${dim(`${id}, ${ago(created_at)}`)}`;
  screen.print(wrapped(title, screen.width));
  if (decision.cwd !== undefined) line("folder", shortPath(decision.cwd, cwd));
  if (context !== "") screen.print(quotedLines(context, screen.width));
  for (const { question = "", options: own } of questions.map(readQuestion)) {
    line("asks", capText(question, MOST_QUESTION));
    printOptions(own, line);
  }
  printOptions(options, line);
  if (state !== "open") line("closed", `${outcomeOf(decision)} ${resolved?.at ?? ""}`);
  else if (elsewhere !== undefined)
    line("answer", `${elsewhere} tenterhook answer ${id} dismiss takes it off this list.`);
  else line("answer", `tenterhook answer ${id} ${firstChoice(decision)}`);
}

/** What an agent said, with a mark before each line of the screen. */
function quotedLines(text: string, width: number): string {
  const lines = quoted(fitted(harmless(text.replaceAll("\r\n", "\n")), width - QUOTED_COLUMNS)).split("\n");
  return lines.map((line) => `  ${line}`).join("\n");
}

function printOptions(options: readonly DecisionOption[], line: (name: string, text: string) => void): void {
  for (const [at, { label, description, recommended }] of options.entries())
    line(
      `  ${at + 1}`,
      `${harmlessLine(`${label}${description === undefined ? "" : `: ${description}`}`)}${recommended === true ? " (recommended)" : ""}`,
    );
}
