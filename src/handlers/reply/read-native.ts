import { isRecord, parseJson } from "../../core/base/json.ts";
import { refuses } from "../../core/decide/read-answer.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import { type Outcome, userMessage } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import { readClaudeReply } from "./claude-reply.ts";
import { asClaudeExit, asClaudeReply, dialectOf } from "./native-dialects.ts";
import { type Exit, exitProblem, REFUSED, refusedBy } from "./read-exit.ts";
import { hiddenAnswer, NO_JSON, parsedReply, plainText } from "./read-reply.ts";
import { refusingForms } from "./refusing-form.ts";
import type { ReplyObject } from "./reply-keys.ts";
import { badOutput, isGate, type ReplySite, refusal, replySite } from "./reply-site.ts";

/**
 * Reads how a program that was written for the agent of the event ended, as that agent reads it; Claude Code: a JSON
 * reply counts with every exit code, unknown keys mean nothing, and plain text is context on some events and nothing on
 * others. It is stricter in one thing: a refusal or a rewrite that is ignored there because of a fault is a failure.
 *
 * @throws HookFailureError `error` for an exit code other than 0 and 2; `bad_output` for a faulty reply.
 */
export function readNativeExit(exit: Exit, event: AnyEvent): readonly Outcome[] {
  const site = replySite(event, true);
  const { exit_code, stdout, stderr } = asClaudeExit(exit, site);
  const text = stdout.trim();
  const later = afterAsync(text);
  if (later !== undefined) return readLater(later, event);
  if (exit_code === 0) return readOutput(text, site);
  const problem = exitProblem(exit_code, stderr);
  const outcomes = readJson(text, site);
  if (exit_code !== REFUSED) {
    throw new HookFailureError("error", problem, {
      refusals: outcomes.filter(refuses),
      outcomes,
    });
  }
  const reason = refusedBy(stderr);
  const objection = refusal(site, reason) ?? userMessage(reason, "warning");
  const isIncluded = outcomes.some(({ type }) => type === objection.type && type !== "context");
  return isIncluded ? outcomes : [...outcomes, objection];
}

/**
 * Reads what a server written for Claude Code answered: a JSON object, or nothing.
 *
 * @throws HookFailureError `bad_output` for anything else, and for a faulty reply.
 */
export function readNativeJson(body: string, event: AnyEvent): readonly Outcome[] {
  const site = replySite(event, true);
  const text = body.trim();
  if (text === "") return [];
  if (!isRecord(parseJson(text))) throw badOutput(NO_JSON);
  return readObject(text, site);
}

/** True when the first line of an output says that the hook goes on in the background. */
export function isAsync(stdout: Buffer): boolean {
  const text = stdout.toString().trimStart();
  return text.includes("\n") && afterAsync(text) !== undefined;
}

/** What follows a first line that says so; `undefined` when it does not. */
function afterAsync(text: string): string | undefined {
  const [line = ""] = text.split("\n", 1);
  const whole = parseJson(text);
  const first = isRecord(whole) ? whole : parseJson(line);
  if (!isRecord(first) || first.async !== true) return undefined;
  return isRecord(whole) ? "" : text.slice(line.length);
}

/** How long a hook may take in the background, in milliseconds. */
const LONGEST_ASYNC = 600_000;

/** How long the hook with this first line may take in the background, in milliseconds. */
export function asyncTimeout(stdout: string): number {
  const first = parseJson(stdout.trim().split("\n", 1)[0] ?? "");
  const given = isRecord(first) ? Number(first.asyncTimeout) : Number.NaN;
  return given > 0 ? Math.min(given, LONGEST_ASYNC) : LONGEST_ASYNC;
}

/** What a hook says from the background: it can add context and tell the user something, and decides nothing any more. */
export function readLater(text: string, event: AnyEvent): readonly Outcome[] {
  const site = replySite(event, true);
  const reply = [text, ...text.split("\n")]
    .map((part) => part.trim())
    .find((part) => isRecord(parseJson(part)));
  const outcomes = reply === undefined || afterAsync(reply) !== undefined ? [] : readJson(reply, site);
  return outcomes.filter(({ type }) => type === "context" || type === "user_message");
}

/** What a reply in JSON says; nothing for anything else, and for a faulty one. */
function readJson(text: string, site: ReplySite): readonly Outcome[] {
  try {
    return isRecord(parseJson(text)) ? readObject(text, site) : [];
  } catch (error) {
    if (error instanceof HookFailureError) return [];
    throw error;
  }
}

function readOutput(text: string, site: ReplySite): readonly Outcome[] {
  if (text === "") return [];
  if (isRecord(parseJson(text))) return readObject(text, site);
  // The agent would ignore it; what it was meant to say is not guessed.
  const hidden = hiddenAnswer(text);
  if (hidden !== undefined) throw badOutput(hidden);
  if (text.startsWith("{") && site.known?.row.text_is === undefined) throw badOutput(NO_JSON);
  const dialect = dialectOf(site);
  if (dialect?.ignoresTextOn?.includes(site.name) === true) return [];
  if (dialect?.text === "fault" && isGate(site)) throw badOutput(NO_JSON);
  if (dialect?.text === "nothing") return [];
  return dialect?.text === "message" ? [userMessage(text)] : plainText(text, site);
}

function readObject(text: string, site: ReplySite): readonly Outcome[] {
  const value = parsedReply(text);
  if (!isRecord(value)) return [];
  const outcomes = [...readClaudeReply(asClaudeReply(value, site), site), ...otherPrompt(value, site)];
  if (outcomes.some((outcome) => refuses(outcome) || outcome.type === "rewrite")) return outcomes;
  const types = outcomes.map(({ type }) => type);
  if (refusingForms(value, site).every((type) => types.includes(type))) return outcomes;
  throw badOutput("It refuses in a form that Claude Code ignores.");
}

/** Another prompt, which a reply to Claude Code can't have. */
function otherPrompt(value: ReplyObject, site: ReplySite): readonly Outcome[] {
  const next = value[dialectOf(site)?.prompt ?? ""];
  return typeof next === "string" && site.name === "UserPromptSubmit" ? [{ type: "rewrite", next }] : [];
}
