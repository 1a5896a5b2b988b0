import type { LanguageModelV3CallOptions, LanguageModelV3Message } from "@ai-sdk/provider";
import { isRecord } from "../../../core/base/json.ts";
import { field, issuesIn, pathText, schemas } from "../../../core/base/schemas.ts";
import { didYouMean } from "../../../core/base/suggest.ts";
import type { Decision } from "../../../core/decide/decision.ts";
import { internals } from "../../../core/internals.ts";
import { readMessages } from "../../conversation/read-messages.ts";
import type { AgentMessage } from "../../messages/messages.ts";
import { modelMessage, sentTools, systemMessage } from "../../messages/prompt.ts";
import { modelName } from "../../model/agent-model.ts";
import type { ModelSettings } from "../../options.ts";
import { TurnEnded } from "../../turn-ended.ts";
import { fire } from "../session/fire.ts";
import type { AgentSession, Turn } from "../session/session.ts";

export interface Round {
  readonly iteration: number;
  /** False for the last answer at the iteration limit. */
  readonly with_tools: boolean;
  readonly system_prompt: string;
  /** Replaces the conversation for this round. */
  readonly messages: readonly AgentMessage[] | undefined;
}

/** A request without its signal, which differs for every try. */
export type ModelRequest = Omit<LanguageModelV3CallOptions, "abortSignal">;

export interface PreparedRequest {
  readonly request: ModelRequest;
  /** False when none of its messages has images or files. */
  readonly may_have_files: boolean;
}

/**
 * Makes the request of a round. PreModelRequest hooks may rewrite it.
 *
 * @throws TurnEnded when a hook ends the run, or wrote another model or something unknown into the request.
 */
export async function modelRequest(turn: Turn, round: Round): Promise<PreparedRequest> {
  const { session } = turn;
  const { conversation, toolbox, options, hooks } = session;
  const shown = internals(hooks).wants("PreModelRequest") ? shownRequest(session, round) : {};
  const { request: rewritten } = await fire(turn, "PreModelRequest", { request: shown });
  if (rewritten !== undefined)
    return { request: rewrittenRequest(session, round, rewritten), may_have_files: true };
  const { system_prompt, messages } = round;
  const prompt =
    messages === undefined
      ? conversation.prompt(system_prompt === "" ? undefined : systemMessage(system_prompt))
      : promptOf(system_prompt, messages);
  const tools = round.with_tools ? toolbox.definitions.sent : [];
  const { model_settings } = options;
  return {
    request: tools.length > 0 ? { prompt, tools, ...model_settings } : { prompt, ...model_settings },
    may_have_files: messages !== undefined || conversation.hasFiles,
  };
}

export function promptOf(system_prompt: string, messages: readonly AgentMessage[]): LanguageModelV3Message[] {
  const rest = messages.map(modelMessage);
  return system_prompt === "" ? rest : [systemMessage(system_prompt), ...rest];
}

function shownRequest(session: AgentSession, round: Round): Readonly<Record<string, unknown>> {
  const { conversation, toolbox, options } = session;
  return {
    model: session.model === undefined ? "" : modelName(session.model),
    system_prompt: round.system_prompt,
    messages: round.messages ?? conversation.seen(),
    tools: round.with_tools ? toolbox.definitions.shown : [],
    settings: { ...options.model_settings },
  };
}

/** What a hook may write into a request. The reference of the event says what each is. */
const REQUEST = schemas.object({
  model: field(schemas.string, ""),
  system_prompt: field(schemas.string, ""),
  messages: field(schemas.list(schemas.anything, "a list of messages"), ""),
  tools: field(schemas.list(schemas.anything, "a list of tools"), ""),
  settings: field(schemas.map(schemas.anything, "an object"), ""),
});

/** @throws TurnEnded for a request with anything else in it: it would be sent without what the hook meant. */
export function checkRewritten(request: unknown): void {
  const [issue] = issuesIn(request, REQUEST);
  if (issue === undefined) return;
  const { unknown, path, text } = issue;
  const what =
    unknown === undefined
      ? `${pathText(path)} ${text}`
      : `it has no ${unknown.key}, only ${unknown.known.join(", ")}.${didYouMean(unknown.key, unknown.known)}`;
  throw new TurnEnded("error", `A PreModelRequest hook rewrote the request, but ${what}`, {
    error_type: "invalid_request",
  });
}

function rewrittenRequest(
  session: AgentSession,
  round: Round,
  request: NonNullable<Decision["request"]>,
): ModelRequest {
  checkRewritten(request);
  const { model, system_prompt, messages, tools, settings } = request;
  if (session.model !== undefined && model !== undefined && model !== modelName(session.model))
    throw new TurnEnded("error", `A hook wrote ${JSON.stringify(model)} into a request; use switchModel.`, {
      error_type: "invalid_request",
    });
  const list = Array.isArray(messages)
    ? messages.filter(isRecord)
    : (round.messages ?? session.conversation.seen());
  const prompt = promptOf(
    typeof system_prompt === "string" ? system_prompt : "",
    readMessages(list.map((message) => ({ ...message }))),
  );
  const sent = round.with_tools && Array.isArray(tools) ? sentTools(tools) : [];
  return {
    prompt,
    ...(sent.length > 0 ? { tools: sent } : {}),
    ...(isSettings(settings) ? settings : session.options.model_settings),
  };
}

/** The provider rejects invalid settings. */
function isSettings(value: unknown): value is ModelSettings {
  return isRecord(value);
}
