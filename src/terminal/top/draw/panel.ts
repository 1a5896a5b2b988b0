import type { DecisionOption } from "../../../core/contracts/questions.ts";
import { readQuestion } from "../../../core/contracts/questions.ts";
import { harmless, harmlessLine } from "../../../shared/harmless.ts";
import { countdownText } from "../../age.ts";
import { columns, cut, fitted, padded } from "../../layout.ts";
import type { Paint } from "../../paint.ts";
import { optionsOf } from "../list-keys.ts";
import type { SeenAgent } from "../port.ts";
import type { Mode } from "../state.ts";

const MOST_OF_LABEL = 0.5;

/** What an agent asks, with its options; at most so many lines. */
export function panelLines(
  { name, asks }: SeenAgent,
  mode: Mode,
  { width, most }: { readonly width: number; readonly most: number },
  paint: Paint,
  now: number,
): readonly string[] {
  if (asks === undefined) return [];
  const { request, title, elsewhere } = asks;
  const { questions = [], waits_until } = request;
  const answering = mode.type === "answer" && mode.request.id === request.id ? mode : undefined;
  const at = Math.min(answering?.given.length ?? 0, Math.max(0, questions.length - 1));
  const which = questions.length > 1 ? ` (${at + 1} of ${questions.length})` : "";
  const rest = waits_until === undefined ? "" : `${countdownText(Date.parse(waits_until) - now)} left`;
  const left = paint.dim(`   ${elsewhere === undefined ? rest : "at its terminal"}`.trimEnd());
  const head = `  ${paint.yellow(cut(`${harmlessLine(name)} ${title}${which}`, width - 16))}${left}`;
  const { question = "", options } =
    questions.length > 0 ? readQuestion(questions[at]) : { options: optionsOf(request) };
  const choices = optionLines(options, width, paint);
  const end =
    elsewhere === undefined
      ? []
      : fitted(`  ${elsewhere}`, width - 2)
          .split("\n")
          .map(paint.dim);
  const texts = [request.context, question === request.context ? "" : question].filter((one) => one !== "");
  const body = texts.flatMap((text) =>
    fitted(harmless(text.replaceAll("\r\n", "\n")), width - 4).split("\n"),
  );
  const room = Math.max(1, most - 1 - choices.length - end.length);
  const shown =
    body.length > room ? [...body.slice(0, Math.max(0, room - 1)), "… enter shows all of it"] : body;
  return [head, ...shown.map((line) => `  ${line}`), ...choices, ...end];
}

function optionLines(options: readonly DecisionOption[], width: number, paint: Paint): readonly string[] {
  const labels = options.map(({ label }) => cut(harmlessLine(label), Math.floor(width * MOST_OF_LABEL)));
  const wide = Math.max(0, ...labels.map(columns));
  return options.map(({ description = "", recommended }, at) => {
    const note = recommended === true ? "recommended" : "";
    const room = width - 9 - wide - 2 - (note === "" ? 0 : note.length + 2);
    const about = cut(harmlessLine(description), Math.max(0, room));
    return `    ${paint.bold(String(at + 1))}  ${padded(labels[at] ?? "", wide)}  ${paint.dim(about)}${note === "" ? "" : `  ${paint.dim(note)}`}`.trimEnd();
  });
}
