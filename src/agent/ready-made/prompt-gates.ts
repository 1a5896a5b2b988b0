import { errorMessage } from "../../core/base/error-text.ts";
import { deny, type Outcome, userMessage } from "../../core/events/outcomes.ts";
import type { HookEvent } from "../../core/events/payloads.ts";
import type { HookContext } from "../../core/ports.ts";
import type { OutcomeOf } from "../../core/registration/typed-hook.ts";
import { compileJudgePrompt, renderQuestion } from "../../handlers/judge/prompt.ts";
import { readJudgeReply, type Verdict, verdictIn } from "../../handlers/judge/verdict.ts";
import { allows, replySite } from "../../handlers/reply/reply-site.ts";
import { nodeRulePorts } from "../../node/ports.ts";
import type { AgentModel } from "../model/agent-model.ts";
import { askModelText } from "./ask-model.ts";

type JudgedName = "PreToolUse" | "Stop";
type JudgeHook<Name extends JudgedName> = (
  event: HookEvent<Name>,
  context: HookContext,
) => Promise<readonly OutcomeOf<Name>[]>;

/**
 * A PreToolUse hook that has a model decide whether a call may run. Fails closed: without a verdict the call is
 * denied.
 *
 * @param question what to judge by, in your words. A template: `May {{tool}} run {{args.command}}?`; the model gets
 *   these values as data, apart from the question.
 * @param template how the call is shown: `{{tool}}`, `{{args}}`, `{{args.command}}` … Without one the whole event is.
 * @throws TenterhookError `bad_rule` for an invalid template.
 */
export function promptToolGate(
  model: AgentModel,
  question: string,
  template?: string,
): JudgeHook<"PreToolUse"> {
  const judge = judgeOf<"PreToolUse">(model, question, template);
  return async (event, { signal }) => {
    try {
      return await judge(event, signal);
    } catch (error) {
      return [deny(`The judge gave no verdict: ${errorMessage(error)}`)];
    }
  };
}

/**
 * A Stop hook that has a model decide whether the work is done. Fails open: without a verdict the agent stops,
 * and the user is told why. Does nothing when a Stop hook has already continued the turn.
 *
 * @param question when the work counts as done, in your words; a template, as that of {@link promptToolGate}.
 * @throws TenterhookError `bad_rule` for an invalid template.
 */
export function promptStop(
  model: AgentModel,
  question: string,
  template = "The agent's last message:\n{{last_assistant_message}}",
): JudgeHook<"Stop"> {
  const judge = judgeOf<"Stop">(model, question, template);
  return async (event, { signal, record }) => {
    if (event.stop_hook_active === true) return [];
    try {
      return await judge(event, signal, (verdict) => record({ verdict }));
    } catch (error) {
      const why = `The judge gave no verdict, so nothing keeps the agent going: ${errorMessage(error)}`;
      return [userMessage(why, "warning")];
    }
  };
}

/** Asks a model about an event and reads its answer as hooks of the type llm do. Rejects without a verdict. */
function judgeOf<Name extends JudgedName>(model: AgentModel, question: string, template?: string) {
  const questionOf = compileJudgePrompt(question, nodeRulePorts, template);
  return async (
    event: HookEvent<Name>,
    signal: AbortSignal,
    note: (verdict: Verdict) => void = () => {},
  ): Promise<readonly OutcomeOf<Name>[]> => {
    const { system, prompt } = renderQuestion(questionOf(event));
    const text = await askModelText(model, system, prompt, signal);
    const outcomes = readJudgeReply(text, event).filter(isFor(event));
    const verdict = verdictIn(text);
    if (verdict !== undefined) note(verdict);
    return outcomes;
  };
}

function isFor<Name extends JudgedName>(event: HookEvent<Name>) {
  const site = replySite(event);
  return (outcome: Outcome): outcome is OutcomeOf<Name> => allows(site, outcome.type);
}
