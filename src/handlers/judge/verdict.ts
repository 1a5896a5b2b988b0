import { isRecord } from "../../core/base/json.ts";
import { capText } from "../../core/base/text.ts";
import type { HookFailureError } from "../../core/events/hook-failure-error.ts";
import { context, deny, keepGoing, type Outcome, userMessage } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import type { RunFacts } from "../../core/ports.ts";
import type { HandlerKeys } from "../../core/registration/handler-types.ts";
import { withoutCodeFence } from "../../shared/code-fence.ts";
import { parsedReply, readDialect } from "../reply/read-reply.ts";
import type { ReplyObject } from "../reply/reply-keys.ts";
import { allows, badOutput, type ReplySite, replySite } from "../reply/reply-site.ts";

export const VERDICT_SCHEMA = {
  type: "object",
  properties: {
    ok: { type: "boolean", description: "True when the instructions raise no objection." },
    reason: {
      type: "string",
      description:
        "Why not, in one or two sentences. Empty when ok is true, unless the instructions ask why.",
    },
  },
  required: ["ok", "reason"],
  additionalProperties: false,
} as const;

const LONGEST_REASON = 2000;
const NO_REASON = "The judge objects and does not say why.";

/** What a judge may do besides objecting. */
export type JudgeEffects = NonNullable<HandlerKeys["llm"]["effects"]>;

/**
 * Reads what any judge answered: `{ ok, reason? }`, or a whole reply of another form, with at most white space and a
 * code fence around it.
 *
 * @throws HookFailureError `bad_output` for anything else.
 */
export function readJudgeReply(
  text: string,
  event: AnyEvent,
  effects: JudgeEffects = [],
): readonly Outcome[] {
  const site = replySite(event);
  const value = parsedReply(withoutCodeFence(text));
  if (!isRecord(value)) throw noVerdict();
  return Object.hasOwn(value, "ok") ? verdict(value, site) : otherForm(value, site, effects);
}

/** Whether a judge was content, and why, when it has said so in these words. */
export type Verdict = NonNullable<RunFacts["verdict"]>;

/** The verdict in an answer that {@link readJudgeReply} has taken; `undefined` for one of another form. */
export function verdictIn(text: string): Verdict | undefined {
  const value = parsedReply(withoutCodeFence(text));
  if (!isRecord(value) || typeof value.ok !== "boolean") return undefined;
  return typeof value.reason === "string"
    ? { ok: value.ok, reason: capText(value.reason, LONGEST_REASON) }
    : { ok: value.ok };
}

/** What to record of an answer: why a judge agrees. Its outcomes say why one objects. */
export function agreementIn(text: string): Pick<RunFacts, "verdict"> {
  const verdict = verdictIn(text);
  return verdict?.ok === true && verdict.reason?.trim() ? { verdict } : {};
}

function verdict({ ok, reason = "", ...more }: ReplyObject, site: ReplySite): readonly Outcome[] {
  if (typeof ok !== "boolean" || typeof reason !== "string" || Object.keys(more).length > 0)
    throw noVerdict();
  return ok ? [] : [objection(capText(reason, LONGEST_REASON), site)];
}

/** The strongest objection that the event allows: refuse, keep going, tell the model, tell the user. */
function objection(reason: string, site: ReplySite): Outcome {
  const why = reason.trim() === "" ? NO_REASON : reason;
  if (allows(site, "deny")) return deny(why);
  if (allows(site, "keep_going")) return keepGoing(why);
  return allows(site, "context") ? context(why) : userMessage(why, "warning");
}

const NEVER_A_JUDGE: readonly string[] = ["allow", "answer", "retry"];

/** The event can persuade the judge that reads it, so a judge never allows: its allow means no objection. */
function otherForm(value: ReplyObject, site: ReplySite, effects: JudgeEffects): readonly Outcome[] {
  const specific = isRecord(value.hookSpecificOutput) ? value.hookSpecificOutput : {};
  const { additionalContext: added, permissionDecision, decision } = specific;
  const outcomes = readDialect(value, site);
  const isChange = outcomes.some(({ type }) => type === "rewrite");
  if (isChange && !effects.includes("modify"))
    throw badOutput("The judge changes what it judges, which needs modify in the effects of its hook.");
  if (added !== undefined && !effects.includes("context"))
    throw badOutput("The judge adds context, which needs context in the effects of its hook.");
  const decides = [value.action, value.decision, permissionDecision, decision, added];
  if (!isChange && value.continue !== false && decides.every((one) => one === undefined)) throw noVerdict();
  return outcomes.filter(({ type }) => !NEVER_A_JUDGE.includes(type));
}

function noVerdict(): HookFailureError {
  return badOutput(
    "The judge's answer is not a verdict. Expected { ok: true or false, reason: a string } and nothing else; ok: true needs no reason.",
  );
}
