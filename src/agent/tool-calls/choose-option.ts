import {
  choiceQuestion,
  chosenOption,
  readQuestion,
  readQuestionAnswer,
} from "../../core/contracts/questions.ts";
import type { Choose } from "../../core/decide/event-scope.ts";
import type { ToolCallPart } from "../conversation/messages.ts";
import type { AgentSession, Turn } from "../session/session.ts";
import { askUser } from "./ask-user.ts";

/**
 * Has the user choose one of the options of a hook that asks about a call: through `askUser` of the agent's options; without
 * it, and without `suspend`, the hook asks for a yes or no.
 *
 * @throws TurnSuspended when the turn waits for the choice.
 */
export async function chooseOption(
  session: AgentSession,
  turn: Turn,
  { tool_use_id, tool_name }: ToolCallPart,
  asked: Parameters<Choose>[0],
): Promise<Awaited<ReturnType<Choose>>> {
  const question = choiceQuestion(asked);
  const asking = { tool_use_id, tool_name, hook: asked.hook };
  const answers = await askUser(session, turn, asking, [question], turn.signal);
  const read = readQuestionAnswer(readQuestion(question), answers?.[question.question]);
  return "answer" in read ? chosenOption(asked.options, read.answer) : undefined;
}
