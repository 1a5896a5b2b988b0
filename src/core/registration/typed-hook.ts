import type { Approval, QuestionAnswers } from "../contracts/approval.ts";
import type { AnyToolTypes, ToolFilter, ToolsIn, ToolTypes } from "../contracts/tool-types.ts";
import type { CustomEvents } from "../events/custom-events.ts";
import type { Effect } from "../events/effects.ts";
import type { AnyEventName, EffectOf, EVENTS } from "../events/event-table.ts";
import type { AnswerOutcome, Outcome, RewriteOutcome } from "../events/outcomes.ts";
import type { EventFields, HookEvent } from "../events/payloads.ts";
import type { HookContext } from "../ports.ts";
import type { HookSettings } from "./hook.ts";
import type { Matcher } from "./matcher.ts";

/** A matcher whose tools may be tools themselves. */
export interface ToolMatcher<Tools extends ToolFilter = ToolFilter> extends Omit<Matcher, "tools"> {
  /** Names, `A|B`, globs, `/regex/`; or tools: then the hook knows their types. */
  readonly tools?: Tools;
}

/** Everything `hooks.on` takes: settings, and matcher fields either next to them or under `matcher`. */
export interface HookOptions<Tools extends ToolFilter = ToolFilter> extends HookSettings, ToolMatcher<Tools> {
  readonly matcher?: ToolMatcher<Tools>;
}

/** A hook written as a function. It says nothing, one thing or several, at once or later. */
export type HookFunction<Name extends string = AnyEventName, Tools = string, Events = CustomEvents> = (
  event: HookEvent<Name, Tools, Events>,
  context: HookContext,
) => HookReply<Name, AllowedEffect<Name, Events> & string, Tools>;

/**
 * What a hook of these events may return. The compiler's messages list the effects that they allow: `& string` above has it
 * write them out.
 */
export type HookReply<Name extends string, Allowed extends Effect = AllowedEffect<Name>, Tools = string> =
  | ReplyNow<OutcomeFor<Name, Allowed, Tools>>
  | Promise<ReplyNow<OutcomeFor<Name, Allowed, Tools>>>;

type ReplyNow<One> = One | readonly (One | undefined | null)[] | undefined | null | void;

/** The outcomes that an event allows: of several events, those that all of them allow. */
export type OutcomeOf<Name extends string, Tools = string, Events = CustomEvents> = OutcomeFor<
  Name,
  AllowedEffect<Name, Events>,
  Tools
>;

/** The effects that all of these events allow. */
export type AllowedEffect<Name extends string, Events = CustomEvents> = Exclude<
  Effect,
  MissingEffect<Name, Events>
>;

/** The effects that at least one of these events lacks. */
type MissingEffect<Name extends string, Events> = Name extends string
  ? Exclude<Effect, EffectOf<Name, Events>>
  : never;

type OutcomeFor<Name extends string, Type extends Effect, Tools> = Type extends "rewrite"
  ? RewriteOutcome<RewriteValue<Name, Tools>>
  : Type extends "answer"
    ? AnswerOutcome<Answer<Name, ToolsIn<Tools>>>
    : Extract<Outcome, { readonly type: Type }>;

/** What a rewrite may give, on any of these events: the table says which field of the decision carries it. */
type RewriteValue<Name extends string, Tools> = Name extends keyof typeof EVENTS
  ? (typeof EVENTS)[Name] extends { readonly rewrites: infer Fields }
    ? Rewritten<ToolsIn<Tools>>[Fields[keyof Fields] & keyof Rewritten<ToolTypes>]
    : never
  : unknown;

/** By field of the decision. */
interface Rewritten<Tool extends AnyToolTypes> {
  input: Tool["input"];
  /** `null` restores what the tool itself returned. */
  output: Tool["result"] | null;
  error: string;
  prompt: string;
  result: string;
  request: Readonly<Record<string, unknown>>;
  messages: PromptParts;
  system_prompt: PromptParts;
}

type PromptParts = Pick<EventFields["PreGeneration"], "messages" | "system_prompt">;

type Answer<Name extends string, Tool extends AnyToolTypes> = Name extends "AgentPrompt"
  ? Approval | QuestionAnswers | readonly string[]
  : Name extends "PreToolUse"
    ? Tool["result"]
    : unknown;
