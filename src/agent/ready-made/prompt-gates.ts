import { errorMessage } from "../../core/base/error-text.ts";
import { deny, keepGoing, type OutcomeOfType } from "../../core/events/outcomes.ts";
import type { HookEvent } from "../../core/events/payloads.ts";
import type { HookContext } from "../../core/ports.ts";
import { nodeRulePorts } from "../../node/rule-ports.ts";
import { subjectOf } from "../../rules/fields/judged-event.ts";
import { compileTemplate } from "../../rules/template.ts";
import type { AgentModel } from "../model/agent-model.ts";
import { askVerdict } from "./ask-model.ts";

/**
 * A PreToolUse hook that has a model decide whether a call may run. Fails closed: without a verdict the call is
 * denied.
 *
 * @param question what to judge by, in your words; the model sees it apart from the call.
 * @param template how the call is shown: `{{tool}}`, `{{args}}`, `{{args.command}}` …
 * @throws TenterhookError `bad_rule` for an invalid template.
 */
export function promptToolGate(
  model: AgentModel,
  question: string,
  template = "Tool: {{tool}}\nInput: {{args}}",
): (event: HookEvent<"PreToolUse">, context: HookContext) => Promise<OutcomeOfType<"deny"> | undefined> {
  const { render } = compileTemplate(template);
  return async (event, { signal }) => {
    try {
      const shown = render(subjectOf({ ...event }, nodeRulePorts));
      const { ok, reason } = await askVerdict(model, question, shown, signal);
      return ok ? undefined : deny(reason ?? "The judge refused the call.");
    } catch (error) {
      return deny(`The judge gave no verdict: ${errorMessage(error)}`);
    }
  };
}

/**
 * A Stop hook that has a model decide whether the work is done. Fails open: without a verdict the agent stops. Does
 * nothing when a Stop hook has already continued the turn.
 *
 * @param question when the work counts as done, in your words.
 */
export function promptStop(
  model: AgentModel,
  question: string,
  template = "The agent's last message:\n{{last_assistant_message}}",
): (event: HookEvent<"Stop">, context: HookContext) => Promise<OutcomeOfType<"keep_going"> | undefined> {
  const { render } = compileTemplate(template);
  return async (event, { signal, record }) => {
    if (event.stop_hook_active === true) return undefined;
    try {
      const shown = render(subjectOf({ ...event }, nodeRulePorts));
      const verdict = await askVerdict(model, question, shown, signal);
      record({ verdict });
      const { ok, reason } = verdict;
      return ok ? undefined : keepGoing(reason ?? "The work is not done yet.");
    } catch {
      return undefined;
    }
  };
}
