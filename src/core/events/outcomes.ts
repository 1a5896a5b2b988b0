import { TenterhookError } from "../base/errors.ts";
import type { Approval, QuestionAnswers } from "../contracts/approval.ts";
import type { DecisionOption } from "../contracts/questions.ts";

/** How long a context item stays before the model: this request, this turn, or the whole session. */
export type ContextLifetime = "request" | "turn" | "session";

/** How a piece of context is given to the model. */
export interface ContextOptions {
  /** Whose words they appear as. Default `user`. */
  readonly role?: "user" | "system";
  /** Default `turn`. */
  readonly lifetime?: ContextLifetime;
  /** False: only the model sees it, the transcript does not keep it. Default true. */
  readonly recorded?: boolean;
}

/** How urgent a message to the user is. */
export type MessageLevel = "info" | "warning" | "error";

/** An outcome that may say why. */
export interface WithReason<Type extends string> {
  readonly type: Type;
  readonly reason?: string | undefined;
}

/** Made by {@link context}. */
export interface ContextOutcome extends ContextOptions {
  readonly type: "context";
  readonly text: string;
}

/** Made by {@link ask}. */
export interface AskOutcome extends WithReason<"ask"> {
  readonly options?: readonly (string | DecisionOption)[];
}

/** Made by {@link allow}. */
export interface AllowOutcome extends WithReason<"allow"> {}

/** Made by {@link deny}. */
export interface DenyOutcome extends WithReason<"deny"> {}

/** Made by {@link rewrite}. */
export interface RewriteOutcome<Value = unknown> {
  readonly type: "rewrite";
  readonly next: Value | ((old: never) => Value);
}

/** Made by {@link keepGoing}. */
export interface KeepGoingOutcome {
  readonly type: "keep_going";
  readonly reason: string;
}

/** Made by {@link answer}. */
export interface AnswerOutcome<Value = unknown> {
  readonly type: "answer";
  readonly answer: Value;
}

/** Made by {@link timeLimit}. */
export interface TimeLimitOutcome {
  readonly type: "time_limit";
  readonly seconds: number;
}

/** Made by {@link retry}. */
export interface RetryOutcome extends WithReason<"retry"> {
  /** How often one call is tried again at most. */
  readonly times?: number;
}

/** Made by {@link hookInput}. */
export interface HookInputOutcome {
  readonly type: "hook_input";
  readonly text: string;
}

/** Made by {@link userMessage}. */
export interface UserMessageOutcome {
  readonly type: "user_message";
  readonly text: string;
  readonly level: MessageLevel;
}

/** Made by {@link abort}. */
export interface AbortOutcome extends WithReason<"abort"> {}

/** Made by {@link native}. */
interface NativeOutcome {
  readonly type: "native";
  readonly reply: NativeKeys;
}

/** What a hook answers. Made by the functions of this file; plain data, so it can be sent. */
export type Outcome =
  | AllowOutcome
  | AskOutcome
  | DenyOutcome
  | RewriteOutcome
  | ContextOutcome
  | KeepGoingOutcome
  | AnswerOutcome
  | TimeLimitOutcome
  | RetryOutcome
  | HookInputOutcome
  | UserMessageOutcome
  | AbortOutcome
  | NativeOutcome;

/** A part of a reply in the agent's own form. */
export type NativeKeys = Readonly<Record<string, unknown>>;

/** The outcome of one type. */
export type OutcomeOfType<Type extends Outcome["type"]> = Extract<Outcome, { readonly type: Type }>;

/** Text a hook adds for the model, with where it comes from and how long it stays. */
export interface ContextItem {
  readonly text: string;
  /** The hook that gave it. */
  readonly hook: string;
  readonly role: "user" | "system";
  readonly lifetime: ContextLifetime;
  /** False: only the model sees it, the transcript does not keep it. */
  readonly recorded: boolean;
  /** Set when the text was longer than the cap: `text` is a preview, the whole is in `path` (when it could be written). */
  readonly shortened?: { readonly characters: number; readonly path?: string };
}

/** Something to show the user. */
export interface UserMessage {
  readonly text: string;
  readonly level: MessageLevel;
  readonly hook: string;
}

/** Let the call run without asking a human. Another hook's deny or ask is stronger. */
export function allow(reason?: string): AllowOutcome {
  return withReason("allow", reason);
}

/**
 * Have a human decide. Where nobody can be asked the call is refused. With options the human chooses one of them, or refuses:
 * the hook runs again with the label as `choice` in its event, and what it returns then counts. Where nobody can choose, the
 * human is asked for a yes or no.
 *
 * @example
 * hooks.on("PreToolUse", { tools: ["Deploy"] }, ({ choice }) => {
 *   if (choice === undefined) return ask("Deploy where?", { options: ["staging", "production"] });
 *   return rewrite((input) => ({ ...input, target: choice }));
 * });
 */
export function ask(reason?: string, { options }: Pick<AskOutcome, "options"> = {}): AskOutcome {
  return { ...withReason("ask", reason), ...(options === undefined ? {} : { options }) };
}

/** Refuse. The reason reaches the model, so say what to do instead. */
export function deny(reason?: string): DenyOutcome {
  return withReason("deny", reason);
}

/**
 * Replace what the event is about: the tool input, the tool's result, the error text, the prompt, the model request,
 * or `{ messages?, system_prompt? }`. Give the whole new value, or a function from the old one; it must be plain JSON
 * data and must not change the old value, which is frozen.
 *
 * @example rewrite((input) => ({ ...input, command: `${input.command} --dry-run` }))
 */
export function rewrite<Value = Record<string, unknown>>(
  next: Value | ((old: Value) => Value),
): RewriteOutcome<Value> {
  return { type: "rewrite", next };
}

/** Add text for the model. Long text goes to a file with a preview; see the limit `context_characters`. */
export function context(text: string, options: ContextOptions = {}): ContextOutcome {
  return { type: "context", text, ...options };
}

/**
 * Keep the agent from stopping; the reason is the next thing it reads.
 *
 * @throws TenterhookError `invalid_outcome` without a reason.
 */
export function keepGoing(reason: string): KeepGoingOutcome {
  if (typeof reason !== "string" || reason.trim() === "") {
    throw new TenterhookError(
      "invalid_outcome",
      "keepGoing needs a reason: it is what the agent reads next.",
    );
  }
  return { type: "keep_going", reason };
}

/**
 * On PreToolUse: give the result of the call without running the tool, from a cache, a recording, a mock or for a dry run. It
 * must be plain JSON data. PostToolUse hooks see it as any result, with `answered_by`. On AgentPrompt: answer what the agent asks a
 * human, a permission or plan with yes or no, questions with texts. The first answer in hook order counts; a deny is stronger.
 */
export function answer<Value = Approval | QuestionAnswers | readonly string[]>(
  value: Value,
): AnswerOutcome<Value> {
  return { type: "answer", answer: value };
}

/**
 * On PreToolUse: end the call when it takes longer. The tool's signal is aborted; a tool that does not look at it goes on, but
 * nobody waits for it. Each try has the whole time. The shortest limit of all hooks counts.
 *
 * @throws TenterhookError `invalid_outcome` for anything but a number above 0.
 * @example hooks.on("PreToolUse", { tools: "WebFetch" }, () => timeLimit(30));
 */
export function timeLimit(seconds: number): TimeLimitOutcome {
  if (!(seconds > 0))
    throw new TenterhookError("invalid_outcome", "timeLimit needs a number of seconds above 0.");
  return { type: "time_limit", seconds };
}

/**
 * On Error: try what failed again, a call of a model or of a tool that is marked `replay: "safe"`. With a number, so often for
 * each call; with a reason or nothing once more, within the ceiling on retries of a turn (`error_retries`).
 *
 * @throws TenterhookError `invalid_outcome` for a number below 1, with a fraction or in quotes.
 * @example hooks.on("Error", { tools: "WebFetch" }, () => retry(3));
 */
export function retry(times: number, reason?: string): RetryOutcome;
export function retry(reason?: string): RetryOutcome;
export function retry(first?: number | string, reason?: string): RetryOutcome {
  if (typeof first === "string" && /^\s*\d+\s*$/.test(first))
    throw new TenterhookError(
      "invalid_outcome",
      `retry(${JSON.stringify(first)}): a number of retries is no text. Write retry(${first.trim()}).`,
    );
  if (typeof first !== "number") return withReason("retry", first);
  if (!(Number.isInteger(first) && first >= 1))
    throw new TenterhookError("invalid_outcome", "retry needs a whole number of 1 or more.");
  return { ...withReason("retry", reason), times: first };
}

/** On TurnEnd: start a follow-up turn with this text. On TurnStart: add it to this turn. */
export function hookInput(text: string): HookInputOutcome {
  return { type: "hook_input", text };
}

/** Tell the user something; the model does not see it. */
export function userMessage(text: string, level: MessageLevel = "info"): UserMessageOutcome {
  return { type: "user_message", text, level };
}

/** End the run. On a gate the call is refused too. */
export function abort(reason?: string): AbortOutcome {
  return withReason("abort", reason);
}

/** Pass keys on to the foreign agent that sent the event, as a part of the reply. Nothing else reads them. */
export function native(reply: NativeKeys): NativeOutcome {
  return { type: "native", reply };
}

function withReason<Type extends string>(type: Type, reason: string | undefined): WithReason<Type> {
  return reason === undefined ? { type } : { type, reason };
}
