import { type Choice, choiceOf, readChoice } from "../../../monitor/decisions/resolve.ts";
import type { HumanRequest } from "../../../shared/monitor/monitor.ts";

/** The person at the terminal. */
export interface Talk {
  /** A line that they type; `undefined` at the end of their input. */
  ask(question: string): Promise<string | undefined>;
  tell(text: string): void;
}

/** Asks for an answer to a decision until it is one; `undefined` when the person leaves it for later. */
export async function askChoice(decision: HumanRequest, talk: Talk): Promise<Choice | undefined> {
  const { questions = [] } = decision;
  if (questions.length < 2) return askOne(decision, "", talk);
  const choices: string[] = [];
  for (const [at, question] of questions.entries()) {
    const which = ` ${at + 1} of ${questions.length}`;
    const choice = await askOne({ ...decision, questions: [question] }, which, talk);
    if (choice === undefined) return undefined;
    choices.push(...choice.choices);
  }
  return { choices };
}

async function askOne(
  decision: HumanRequest,
  which: string,
  { ask, tell }: Talk,
): Promise<Choice | undefined> {
  for (;;) {
    const given = (await ask(`Your answer${which} (empty: later): `))?.trim() ?? "";
    if (given === "") return undefined;
    const choice = choiceOf(decision, given);
    const read = readChoice(decision, choice);
    if ("answer" in read) return choice;
    if (read.wants !== "message") {
      tell(read.problem);
      continue;
    }
    const message = (await ask("What is to change (empty: later)? "))?.trim() ?? "";
    return message === "" ? undefined : { ...choice, message };
  }
}
