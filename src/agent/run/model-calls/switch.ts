import { errorMessage, stackTrace } from "../../../core/base/error-text.ts";
import { TenterhookError } from "../../../core/base/errors.ts";
import type { FireOptions } from "../../../core/decide/fired-event.ts";
import { type AgentModel, type ModelChoice, modelName } from "../../model/agent-model.ts";
import { askApproval } from "../session/ask-human.ts";
import { fire, fireAnyway } from "../session/fire.ts";
import { type AgentSession, emit, type Turn } from "../session/session.ts";
import { noteTokens } from "../session/tokens.ts";

interface SwitchReason {
  readonly triggered_by: "user" | "automatic" | "fallback";
  readonly reason?: string;
}

/** @throws TenterhookError `model_unavailable` for a name that cannot be resolved. */
export async function resolveModel(session: AgentSession, choice: ModelChoice): Promise<AgentModel> {
  if (typeof choice !== "string") return choice;
  const { resolveModel: resolve } = session.options;
  if (resolve !== undefined) return resolve(choice);
  throw new TenterhookError(
    "model_unavailable",
    `The model ${JSON.stringify(choice)} was given by its name, but the agent has no resolveModel.`,
  );
}

/**
 * Uses another model from the next call on, unless hooks refuse. Returns why they do.
 *
 * @param agreed is called before listeners hear of the switch.
 */
export async function switchModel(
  session: AgentSession,
  choice: ModelChoice,
  why: SwitchReason,
  options: FireOptions,
  agreed?: () => void,
): Promise<string | undefined> {
  const model = await resolveModel(session, choice);
  const refusal = await refusedModel(session, model, why, options);
  if (refusal !== undefined) return refusal;
  session.model = model;
  session.model_agreed = true;
  // The same tokens fill a window of another size.
  noteTokens(session, session.compaction.tokens);
  session.compaction.learned = Number.POSITIVE_INFINITY;
  agreed?.();
  emit(session, { type: "model", model: modelName(model), triggered_by: why.triggered_by });
  return undefined;
}

/** Switches to the next model of the fallback list that hooks allow; returns false when no model is left. */
export async function switchToFallback(turn: Turn, reason: string, agreed: () => void): Promise<boolean> {
  const { session } = turn;
  for (;;) {
    const [choice, ...rest] = session.fallback;
    if (choice === undefined) return false;
    session.fallback = rest;
    try {
      const why = { triggered_by: "fallback", reason } as const;
      if ((await switchModel(session, choice, why, turn.firing, agreed)) === undefined) return true;
    } catch (error) {
      const message = errorMessage(error);
      emit(session, { type: "error", error_type: "model_unavailable", message });
      const told = { error_type: "model_unavailable", error_message: message, ...stackTrace(error) };
      await fire(turn, "Error", told);
    }
    turn.signal.throwIfAborted();
  }
}

/**
 * Asks hooks about a subagent's model that is not its parent's. Returns, as a sentence for the model, why it is refused.
 *
 * @param parent the session of the parent, with the identity of the subagent.
 */
export async function refusedChildModel(
  parent: AgentSession,
  model: AgentModel | undefined,
  options: FireOptions,
): Promise<string | undefined> {
  if (parent.model === undefined || model === undefined) return undefined;
  const name = modelName(model);
  if (name === modelName(parent.model)) return undefined;
  const reason = `The subagent ${parent.identity.agent_type} has a model of its own.`;
  const refusal = await refusedModel(parent, model, { triggered_by: "automatic", reason }, options);
  return refusal === undefined ? undefined : `The subagent may not use ${name}: ${refusal}`;
}

/** Asks hooks about the first model of a session. Returns why they refuse it: then it must not get any request. */
export async function refusedFirstModel(
  session: AgentSession,
  options: FireOptions,
): Promise<string | undefined> {
  const { model } = session;
  if (session.model_agreed || model === undefined) return undefined;
  const refusal = await refusedModel(session, model, { triggered_by: "user" }, options);
  session.model_agreed = refusal === undefined;
  return refusal;
}

/**
 * Asks hooks about a model that a session is resumed or forked with and did not have before.
 *
 * @throws TenterhookError `model_switch_denied`.
 */
export async function checkResumedModel(
  session: AgentSession,
  model: AgentModel,
  options: FireOptions,
): Promise<void> {
  const { resume, model_name, source } = session.options;
  const before = resume?.metadata.model;
  // A session whose first model was refused has its name too, but no answer.
  const worked = session.conversation.transcript().some(({ role }) => role === "assistant");
  if (session.model_agreed || before === undefined || !worked) return;
  session.model_agreed = before === modelName(model) || before === model_name;
  if (session.model_agreed) return;
  const how = source === "fork" ? "forked" : "resumed";
  const why = { triggered_by: "user", reason: `The session is ${how} with another model.` } as const;
  const refusal = await refusedModel(session, model, why, options, before);
  if (refusal !== undefined) throw new TenterhookError("model_switch_denied", refusal);
  session.model_agreed = true;
}

async function refusedModel(
  session: AgentSession,
  model: AgentModel,
  why: SwitchReason,
  options: FireOptions,
  before?: string,
): Promise<string | undefined> {
  const new_model = modelName(model);
  const { profile } = session.options;
  const current = session.model_agreed ? session.model : undefined;
  const old_model = before ?? (current === undefined ? null : modelName(current));
  const fields = { old_model, new_model, ...why, profile };
  const { action, reason, abort } = await fireAnyway(session, "ModelSwitch", fields, options);
  if (action === "deny" || abort !== undefined) return reason ?? abort?.reason ?? "A hook refused the model.";
  if (action !== "ask") return undefined;
  const request = {
    kind: "model_switch",
    subject: new_model,
    reason,
  } as const;
  const answer = await askApproval(session, request, options.signal ?? new AbortController().signal);
  if (answer.allow) return undefined;
  return ("not_asked" in answer ? undefined : answer.feedback) ?? reason ?? "Nobody agreed to the model.";
}
