import { errorMessage } from "../../core/base/error-text.ts";
import { TenterhookError } from "../../core/base/errors.ts";
import type { Decision } from "../../core/decide/decision.ts";
import type { FireOptions } from "../../core/decide/event-scope.ts";
import { mustGoOn } from "../loop/turn-ended.ts";
import { fire, fireAnyway } from "../session/fire.ts";
import { type AgentSession, emit, type Turn } from "../session/session.ts";
import { approval } from "../tool-calls/ask-human.ts";
import { type AgentModel, type ModelChoice, modelName } from "./agent-model.ts";

/** Why another model is to be used. */
interface SwitchReason {
  readonly triggered_by: "user" | "automatic" | "fallback";
  readonly reason?: string;
}

/**
 * Finds a model.
 *
 * @throws TenterhookError `model_unavailable` for a name nobody can resolve.
 */
export async function resolveModel(session: AgentSession, choice: ModelChoice): Promise<AgentModel> {
  if (typeof choice !== "string") return choice;
  const { resolveModel: resolve } = session.options;
  if (resolve === undefined)
    throw new TenterhookError(
      "model_unavailable",
      `The model ${JSON.stringify(choice)} was given by its name, and this agent knows no names.`,
    );
  return resolve(choice);
}

/**
 * Uses another model from the next call on, unless hooks refuse. Answers why they do, or nothing.
 *
 * @param agreed is called before the switch is told.
 */
export async function switchModel(
  session: AgentSession,
  choice: ModelChoice,
  why: SwitchReason,
  options: FireOptions,
  agreed?: () => void,
): Promise<string | undefined> {
  const model = await resolveModel(session, choice);
  const new_model = modelName(model);
  const { profile } = session.options;
  const decision = await fireAnyway(
    session,
    "ModelSwitch",
    {
      old_model: session.model === undefined ? null : modelName(session.model),
      new_model,
      ...why,
      ...(profile === undefined ? {} : { profile }),
    },
    options,
  );
  const refusal = await refused(session, decision, new_model, options);
  if (refusal !== undefined) return refusal;
  session.model = model;
  agreed?.();
  emit(session, { type: "model", model: new_model, triggered_by: why.triggered_by });
  return undefined;
}

/** Goes on with the next model of the fallback list that hooks let pass; false when there is none. */
export async function switchToFallback(
  session: AgentSession,
  turn: Turn,
  reason: string,
  agreed: () => void,
): Promise<boolean> {
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
      await fire(session, turn, "Error", { error_type: "model_unavailable", error_message: message });
    }
    mustGoOn(turn);
  }
}

/**
 * Asks hooks about a model that a subagent has and its parent has not: it is a switch like any other. Answers, as a
 * sentence for the model, why it may not be used, or nothing.
 *
 * @param parent the session of the parent, with the identity of the child.
 */
export async function refusedChildModel(
  parent: AgentSession,
  child_model: AgentModel | undefined,
  options: FireOptions,
): Promise<string | undefined> {
  if (parent.model === undefined || child_model === undefined) return undefined;
  const [old_model, new_model] = [modelName(parent.model), modelName(child_model)];
  if (new_model === old_model) return undefined;
  const { profile } = parent.options;
  const decision = await fireAnyway(
    parent,
    "ModelSwitch",
    {
      old_model,
      new_model,
      triggered_by: "automatic",
      reason: `The subagent ${parent.identity.agent_type} has a model of its own.`,
      ...(profile === undefined ? {} : { profile }),
    },
    options,
  );
  const refusal = await refused(parent, decision, new_model, options);
  return refusal === undefined ? undefined : `The subagent may not use ${new_model}: ${refusal}`;
}

async function refused(
  session: AgentSession,
  { action, reason, abort }: Decision,
  subject: string,
  { signal }: FireOptions,
): Promise<string | undefined> {
  if (action === "deny" || abort !== undefined) return reason ?? abort?.reason ?? "A hook refused the model.";
  if (action !== "ask") return undefined;
  const request = { kind: "model_switch", subject, ...(reason === undefined ? {} : { reason }) } as const;
  const answer = await approval(session, request, signal ?? new AbortController().signal);
  if (answer.decision !== "refuse") return undefined;
  return answer.feedback ?? reason ?? "Nobody agreed to the model.";
}
