import { basename } from "node:path";
import { isRecord } from "../core/base/json.ts";
import type { HookRun } from "../core/decide/decision.ts";
import { subjectOf } from "../shared/call-text.ts";
import { harmlessLine, harmlessName } from "../shared/harmless.ts";
import type { Recorded } from "./activity/activity.ts";
import type { JournalRecord } from "./record.ts";
import { decidedIn, happenedText, hasResult, isLater, saidBy, VERDICTS } from "./verdict.ts";

/** Events that are about a call before it runs: the call says enough. */
const ABOUT_CALLS: ReadonlySet<string> = new Set(["PreToolUse", "PermissionRequest"]);

/** What happens to a decision that the agent did not carry out as it is. */
const CAME: Readonly<Record<string, string>> = { deny: "refused", allow: "allowed", continue: "went on" };

export function recordLine({ record, project }: Recorded, tag?: (id: string) => string) {
  const { time, event, happened, session_id, type, machine } = record;
  const runs = record.runs.filter(hasResult);
  const failed = runs.find(({ failure }) => failure !== undefined);
  const [[said, reason] = ["continue", undefined] as const] = decidedIn(record);
  const woulds = runs.flatMap(({ would }) => (would === undefined ? [] : saidBy(would).slice(0, 1)));
  const wouldBe =
    said === "continue"
      ? VERDICTS.flatMap((verdict) => woulds.filter(([one]) => one === verdict))[0]
      : undefined;
  const word =
    said === "continue" && failed !== undefined
      ? "failed"
      : wouldBe !== undefined
        ? `would ${wouldBe[0]}`
        : type === "run" && said === "continue"
          ? "later"
          : said;
  const came = happened === undefined ? undefined : (CAME[happened.action] ?? happened.action);
  const verdict = came === undefined ? word : word === "continue" ? came : `${word} → ${came}`;
  const agent = harmlessName(String(event.host ?? "-"));
  const folder = project === undefined ? "" : ` in ${harmlessName(basename(project))}`;
  const place = machine === undefined ? folder : `${folder} on ${harmlessName(machine)}`;
  const names = [...new Set(runs.filter((one) => isBehind(one, word)).map(({ name }) => name))];
  const hooks = names.length > 1 ? `${names[0]} +${names.length - 1}` : (names[0] ?? "");
  const failure = failed?.failure;
  const because =
    happenedText(record) ??
    reason ??
    wouldBe?.[1] ??
    (failure && `failed (${failure.kind}): ${failure.message}`) ??
    "";
  const subject = [
    ...(ABOUT_CALLS.has(event.hook_event_name) || isLater(record) ? [] : [event.hook_event_name]),
    event.tool_name,
    aboutOf(event),
  ].filter((part) => typeof part === "string");
  return {
    time,
    who: tag === undefined ? agent : `${agent}${place} ${harmlessName(tag(session_id))}`,
    word: happened?.action === "deny" ? "deny" : word,
    verdict,
    call: harmlessLine(subject.join(" ")),
    hooks: harmlessName(hooks),
    because: harmlessLine(because),
    runs,
  };
}

/** True for a hook that said what counts, or that failed. */
function isBehind({ outcome, failure, would }: HookRun, word: string): boolean {
  if (word.startsWith("would ")) return would !== undefined;
  return failure !== undefined || (outcome !== undefined && saidBy(outcome).some(([said]) => said === word));
}

/** The command, file or address that a call is about. */
function aboutOf({ tool_input: input, prompt }: JournalRecord["event"]): unknown {
  if (!isRecord(input)) return prompt;
  return subjectOf(input);
}
