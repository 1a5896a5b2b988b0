import { readQuestion } from "../../../../core/contracts/questions.ts";
import { agentName } from "../../../../monitor/agent-name.ts";
import { isAnsweredHere } from "../../../../monitor/decisions/elsewhere.ts";
import { shownId } from "../../../../monitor/decisions/find.ts";
import { endingOf } from "../../../../monitor/decisions/receipt.ts";
import type { HumanRequest } from "../../../../shared/monitor/monitor.ts";
import { ageText, durationText } from "../../../../terminal/age.ts";
import { type Block, pageWidth } from "../../../command-line/screen/report.ts";
import { type Column, tableLines } from "../../../command-line/screen/table.ts";
import { bold, dim, harmlessLine, yellow } from "../../../command-line/screen/text.ts";

/** Where a question can be answered, in the order in which they are counted. */
const KINDS = ["for you", "at its terminal", "closed"] as const;
type Kind = (typeof KINDS)[number];

function kindOf(decision: HumanRequest): Kind {
  if (decision.state !== "open") return "closed";
  return isAnsweredHere(decision) ? "for you" : "at its terminal";
}

const MARGIN = "  ";
const MARK_COLUMNS = 2;

/** A table of decisions, one line for each: who waits longest first; what is closed last, the newest first. */
export function decisionLines(decisions: readonly HumanRequest[]): Block {
  const isOpen = ({ state }: HumanRequest): boolean => state === "open";
  const sorted = [
    ...decisions.filter(isOpen).sort((one, other) => (one.created_at < other.created_at ? -1 : 1)),
    ...decisions.filter((one) => !isOpen(one)),
  ];
  const columns: readonly Column<HumanRequest>[] = [
    { title: "", cell: ({ created_at }) => ageText(created_at, Date.now()), right: true },
    { title: "", cell: ({ id }) => shownId(id, decisions) },
    { title: "", cell: (one) => harmlessLine(agentName(one)), least: 12, yields: true },
    { title: "", cell: ({ source }) => source, rare: true },
    { title: "", cell: (one) => harmlessLine(askedBy(one)), least: 16, yields: true },
    { title: "", cell: stateText, least: 15 },
  ];
  const counts = KINDS.map((kind) => ({ kind, number: sorted.filter((one) => kindOf(one) === kind).length }));
  const head = counts.flatMap(({ kind, number }) => (number === 0 ? [] : [`${number} ${kind}`])).join(" · ");
  return (size) => {
    const [, ...rows] = tableLines(columns, sorted, pageWidth(size) - MARGIN.length - MARK_COLUMNS);
    const marked = sorted.map((one, at) => `${MARGIN}${isOpen(one) ? yellow("●") : dim("○")} ${rows[at]}`);
    return [`${MARGIN}${bold(head)}`, "", ...marked];
  };
}

/** The question, or the beginning of what led to it. */
function askedBy({ questions = [], context }: HumanRequest): string {
  const [first] = questions.map(readQuestion);
  const more = questions.length > 1 ? ` and ${questions.length - 1} more` : "";
  return `${first?.question ?? context.split("\n").find((line) => line.trim() !== "") ?? ""}${more}`;
}

/** How long a hook still waits, where to answer, or how it ended. */
function stateText(decision: HumanRequest): string {
  const { waits_until } = decision;
  switch (kindOf(decision)) {
    case "for you":
      return waits_until === undefined ? "" : `${durationText(Date.parse(waits_until) - Date.now())} left`;
    case "at its terminal":
      return "at its terminal";
    default:
      return harmlessLine(endingOf(decision));
  }
}
