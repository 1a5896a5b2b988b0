import { isRecord } from "../../../core/base/json.ts";
import type { Tool, UserQuestion } from "../../../core/contracts/tool.ts";
import { failed, flagField, flagOf, inputSchema, optionalText, textField, textOf } from "../input.ts";

const DESCRIPTION = `Asks the user up to four questions and returns their answers.

- Use it when a decision is theirs: unclear requirements, a choice between approaches. Do not ask what you can find out yourself.
- Give two to four options that differ; the user can always answer something else.`;

/** Asks the user; fails when nobody can be asked. */
export const askUserQuestionTool: Tool = {
  name: "AskUserQuestion",
  description: DESCRIPTION,
  input_schema: inputSchema(
    {
      questions: {
        type: "array",
        minItems: 1,
        maxItems: 4,
        description: "The questions, asked together.",
        items: {
          type: "object",
          properties: {
            question: textField("The whole question, with a question mark."),
            header: { type: "string", description: "One or two words for it, shown as its label." },
            options: {
              type: "array",
              maxItems: 8,
              description: "What to choose from.",
              items: {
                type: "object",
                properties: {
                  label: textField("One to five words; this is the answer."),
                  description: { type: "string", description: "What choosing it means." },
                },
                required: ["label"],
                additionalProperties: false,
              },
            },
            multiSelect: flagField("More than one option can be chosen."),
          },
          required: ["question"],
          additionalProperties: false,
        },
      },
    },
    ["questions"],
  ),
  annotations: { read_only: true },
  replay: "safe",
  async run(input, { host, signal }) {
    const questions = Array.isArray(input.questions) ? input.questions.filter(isRecord).map(questionOf) : [];
    const answers = await host.askUser?.(questions, signal);
    if (answers === undefined) {
      throw failed("Nobody can be asked here. Decide yourself, and say in your answer what you assumed.");
    }
    const answerTo = (question: string): string =>
      (Object.hasOwn(answers, question) ? answers[question] : undefined) ?? "(no answer)";
    const lines = questions.map(({ question }) => `${question}\n${answerTo(question)}`);
    return { content: `The user answered:\n\n${lines.join("\n\n")}`, data: { answers } };
  },
};

function questionOf(input: Readonly<Record<string, unknown>>): UserQuestion {
  const header = optionalText(input, "header");
  const options = Array.isArray(input.options) ? input.options.filter(isRecord).map(optionOf) : undefined;
  return {
    question: textOf(input, "question"),
    header,
    options,
    multi_select: flagOf(input, "multiSelect"),
  };
}

function optionOf(input: Readonly<Record<string, unknown>>) {
  const description = optionalText(input, "description");
  return { label: textOf(input, "label"), description };
}
