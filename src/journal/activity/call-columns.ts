import { isRecord } from "../../core/base/json.ts";
import { capText } from "../../core/base/text.ts";
import type { HookRun } from "../../core/decide/decision.ts";
import { subjectOf } from "../../shared/call-text.ts";
import type { JournalRecord } from "../record.ts";
import { decidedIn, finalAction, happenedText, isRefusal, saidBy } from "../verdict.ts";

/** What came of a call, the strongest last. A list filters by it. */
export const CALL_VERDICTS = ["continue", "changed", "ask", "deny", "failed"] as const;
export type CallVerdict = (typeof CALL_VERDICTS)[number];

const LONGEST_SUMMARY = 200;
const LONGEST_REASON = 300;

/** What a list shows of a record. */
export function callColumns(record: JournalRecord) {
  const { event, runs } = record;
  const verdict = verdictOf(record);
  // The hook that decided; for a failure, the one that failed.
  const decisive = verdict === "continue" ? undefined : runs.find((run) => decides(run, verdict));
  const reason =
    verdict === "failed"
      ? decisive?.failure?.message
      : (happenedText(record) ?? decidedIn(record).find(([, why]) => why !== undefined)?.[1]);
  return {
    verdict,
    event: event.hook_event_name,
    tool: typeof event.tool_name === "string" ? event.tool_name : "",
    hook: decisive?.name,
    /** All hooks together, in milliseconds. */
    took: runs.reduce((sum, { duration_ms }) => sum + (Number(duration_ms) || 0), 0),
    summary: capText(summaryOf(event), LONGEST_SUMMARY),
    reason: reason === undefined ? undefined : capText(reason, LONGEST_REASON),
  };
}

function verdictOf(record: JournalRecord): CallVerdict {
  if (finalAction(record) === "deny" || isRefusal(record)) return "deny";
  const said = decidedIn(record).map(([one]) => one);
  if (said.includes("ask")) return "ask";
  if (record.runs.some(({ failure }) => failure !== undefined)) return "failed";
  return said.every((one) => one === "continue" || one === "allow") ? "continue" : "changed";
}

function decides({ outcome, failure }: HookRun, verdict: CallVerdict): boolean {
  if (verdict === "failed") return failure !== undefined;
  if (outcome === undefined) return false;
  const said = saidBy(outcome).map(([one]) => one);
  if (verdict === "deny") return said.includes("deny") || said.includes("end") || said.includes("ask");
  return verdict === "ask" ? said.includes("ask") : said.some((one) => one !== "continue" && one !== "allow");
}

function summaryOf({ tool_input, prompt, last_assistant_message, message }: JournalRecord["event"]): string {
  if (isRecord(tool_input)) return subjectOf(tool_input);
  const text = [prompt, message, last_assistant_message].find((one) => typeof one === "string");
  return typeof text === "string" ? text : "";
}
