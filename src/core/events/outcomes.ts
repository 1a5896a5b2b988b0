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
  readonly reason?: string;
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

/** What a hook answers. Made by the functions of this file; plain data, so it can be sent. */
export type Outcome =
  | WithReason<"allow">
  | AskOutcome
  | WithReason<"deny">
  | { readonly type: "rewrite"; readonly next: unknown }
  | ContextOutcome
  | { readonly type: "keep_going"; readonly reason: string }
  | { readonly type: "answer"; readonly answer: unknown }
  | WithReason<"retry">
  | { readonly type: "hook_input"; readonly text: string }
  | { readonly type: "user_message"; readonly text: string; readonly level: MessageLevel }
  | WithReason<"abort">
  | { readonly type: "native"; readonly reply: NativeKeys };

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
export function allow(reason?: string): OutcomeOfType<"allow"> {
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
export function deny(reason?: string): OutcomeOfType<"deny"> {
  return withReason("deny", reason);
}

/**
 * Replace what the event is about: the tool input, the tool's result, the error text, the prompt, the model request,
 * or `{ messages?, system_prompt? }`. Give the whole new value, or a function from the old one; it must be plain JSON
 * data and must not change the old value, which is frozen.
 *
 * @example rewrite((input) => ({ ...input, command: `${input.command} --dry-run` }))
 */
export function rewrite<Old = Record<string, unknown>>(next: (old: Old) => unknown): OutcomeOfType<"rewrite">;
export function rewrite(next: unknown): OutcomeOfType<"rewrite">;
export function rewrite(next: unknown): OutcomeOfType<"rewrite"> {
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
export function keepGoing(reason: string): OutcomeOfType<"keep_going"> {
  if (typeof reason !== "string" || reason.trim() === "") {
    throw new TenterhookError(
      "invalid_outcome",
      "keepGoing needs a reason: it is what the agent reads next.",
    );
  }
  return { type: "keep_going", reason };
}

/**
 * Answer what the agent asks a human: a permission or plan with yes or no, questions with texts. The first answer in hook
 * order counts.
 */
export function answer(value: Approval | QuestionAnswers | readonly string[]): OutcomeOfType<"answer"> {
  return { type: "answer", answer: value };
}

/** Try what failed once more, within the ceiling on retries. */
export function retry(reason?: string): OutcomeOfType<"retry"> {
  return withReason("retry", reason);
}

/** On TurnEnd: start a follow-up turn with this text. On TurnStart: add it to this turn. */
export function hookInput(text: string): OutcomeOfType<"hook_input"> {
  return { type: "hook_input", text };
}

/** Tell the user something; the model does not see it. */
export function userMessage(text: string, level: MessageLevel = "info"): OutcomeOfType<"user_message"> {
  return { type: "user_message", text, level };
}

/** End the run. On a gate the call is refused too. */
export function abort(reason?: string): OutcomeOfType<"abort"> {
  return withReason("abort", reason);
}

/** Pass keys on to the foreign agent that sent the event, as a part of the reply. Nothing else reads them. */
export function native(reply: NativeKeys): OutcomeOfType<"native"> {
  return { type: "native", reply };
}

function withReason<Type extends string>(type: Type, reason: string | undefined): WithReason<Type> {
  return reason === undefined ? { type } : { type, reason };
}
