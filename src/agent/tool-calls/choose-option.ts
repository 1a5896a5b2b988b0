import {
  choiceQuestion,
  chosenOption,
  readQuestion,
  readQuestionAnswer,
} from "../../core/contracts/questions.ts";
import type { Choose } from "../../core/decide/event-scope.ts";
import type { ToolCallPart } from "../conversation/messages.ts";
import { mustGoOn, TurnSuspended } from "../loop/turn-ended.ts";
import type { AgentSession, Turn } from "../session/session.ts";
import { askUser } from "./ask-user.ts";

/** Has the user choose the options of hooks that ask about a call. */
export interface Chooser {
  readonly choose: Choose;
  /**
   * Ends the turn when it waits for the choice: an event that is being decided can't.
   *
   * @throws TurnEnded.
   */
  mustGoOn(): void;
}

/** Hooks ask through `askUser` of the agent's options; without it, and without `suspend`, for a yes or no. */
export function chooser(
  session: AgentSession,
  turn: Turn,
  { tool_use_id, tool_name }: ToolCallPart,
): Chooser {
  let suspended: TurnSuspended | undefined;
  return {
    async choose(asked) {
      if (suspended !== undefined) return undefined;
      const question = choiceQuestion(asked);
      try {
        const asking = { tool_use_id, tool_name, hook: asked.hook };
        const answers = await askUser(session, turn, asking, [question], turn.signal);
        const read = readQuestionAnswer(readQuestion(question), answers?.[question.question]);
        return "answer" in read ? chosenOption(asked.options, read.answer) : undefined;
      } catch (error) {
        if (!(error instanceof TurnSuspended)) throw error;
        suspended = error;
        return undefined;
      }
    },
    mustGoOn() {
      mustGoOn(turn);
      if (suspended !== undefined) throw suspended;
    },
  };
}
