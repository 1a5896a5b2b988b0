import type { UserQuestion } from "../../../core/contracts/tool.ts";
import { harmless, harmlessLine } from "../../../shared/harmless.ts";
import { countdownText, durationText } from "../../age.ts";
import { APPROVAL_TITLES } from "../../approval-text.ts";
import { wholeCall } from "../../cells/call-line.ts";
import { drawLine, type TypedLine } from "../../input/line.ts";
import { columns, cut, fitted, padded, type Size } from "../../layout.ts";
import type { Paint } from "../../paint.ts";
import { counted, tokensText } from "../../words.ts";
import type { ChatState, Dialog } from "../state.ts";

const MOST_INPUT_ROWS = 8;
const MOST_NAMES = 6;
/** What is asked may take so much of the screen. */
const DIALOG_SHARE = 0.6;

export interface BottomOptions extends Size {
  readonly paint: Paint;
  readonly now: number;
  readonly folder: string;
}

/** The part of the screen below the conversation: a question or the input line, and the status. */
export function bottomLines(state: ChatState, options: BottomOptions): readonly string[] {
  const [dialog] = state.dialogs;
  const middle =
    dialog === undefined
      ? state.watches
        ? []
        : [...inputBox(state, options), ...completionLines(state, options)]
      : ["", ...dialogLines(dialog, options)];
  const { notice } = state;
  const said =
    notice === undefined
      ? []
      : fitted(harmlessLine(notice), options.width - 4)
          .split("\n")
          .map((line) => `  ${options.paint.yellow(line)}`);
  const gap = state.watches && dialog === undefined ? [""] : [];
  return [...middle, ...said, ...gap, statusLine(state, options)];
}

function inputBox({ line }: ChatState, { width, paint }: BottomOptions): readonly string[] {
  const inner = Math.max(10, width - 8);
  const rows = inputRows(line, inner - 2, MOST_INPUT_ROWS);
  const side = paint.dim("│");
  const edge = (left: string, right: string): string =>
    `  ${paint.dim(`${left}${"─".repeat(inner + 2)}${right}`)}`;
  return [
    "",
    edge("╭", "╮"),
    ...rows.map(
      (row, at) => `  ${side} ${at === 0 ? paint.bold("›") : " "} ${padded(row, inner - 2)} ${side}`,
    ),
    edge("╰", "╯"),
  ];
}

function completionLines({ completion }: ChatState, { width, paint }: BottomOptions): readonly string[] {
  if (completion === undefined) return [];
  const { names, at } = completion;
  const first = Math.max(0, Math.min(at - MOST_NAMES + 1, names.length - MOST_NAMES));
  return names.slice(first, first + MOST_NAMES).map((name, index) => {
    const shown = cut(harmlessLine(name), width - 8);
    return first + index === at ? `    ${paint.bold(`› ${shown}`)}` : `      ${paint.dim(shown)}`;
  });
}

/** `model   48k tokens  $0.21   61 % left   23 hooks      esc interrupts`. */
function statusLine(state: ChatState, { width, paint, now }: BottomOptions): string {
  const { cells, model, hookCount, busySince, dialogs, watches } = state;
  const { usage } = cells;
  const left = usage?.context_left;
  const facts = [
    harmlessLine(cells.model ?? model) || "opening the agent",
    usage?.total_tokens === undefined ? "" : `${tokensText(usage.total_tokens)} tokens`,
    usage?.cost_usd === undefined ? "" : `$${usage.cost_usd.toFixed(2)}`,
    typeof left === "number" ? `${Math.round(left * 100)} % left` : "",
    hookCount === undefined ? "" : counted(hookCount, "hook"),
  ].filter(Boolean);
  const right =
    dialogs.length > 0 && busySince !== undefined
      ? "esc interrupts"
      : busySince === undefined
        ? watches
          ? ""
          : "/help"
        : `works ${durationText(now - busySince)}   esc interrupts`;
  const text = cut(facts.join("   "), Math.max(0, width - 6 - columns(right)));
  const gap = " ".repeat(Math.max(1, width - 4 - columns(text) - columns(right)));
  return `  ${paint.dim(`${text}${gap}${right}`)}`;
}

function dialogLines(dialog: Dialog, options: BottomOptions): readonly string[] {
  switch (dialog.type) {
    case "approval":
      return approvalLines(dialog, options);
    case "question":
      return questionLines(dialog, options);
    case "choose":
      return chooseLines(dialog, options);
    default:
      return dialog satisfies never;
  }
}

/** All of what an approval is about; what there is no room for is counted, and Ctrl-O shows it. */
export function approvalText({ request }: Dialog & { type: "approval" }, folder: string): readonly string[] {
  const { tool_name, tool_input, preview, subject = "" } = request;
  if (tool_name !== undefined && tool_input !== undefined)
    return wholeCall(tool_name, tool_input, folder, preview);
  return harmless(subject).split("\n");
}

function approvalLines(dialog: Dialog & { type: "approval" }, options: BottomOptions): readonly string[] {
  const { width, height, paint, folder } = options;
  const { request, lasting, words } = dialog;
  const all = approvalText(dialog, folder).flatMap((line) => {
    const [, mark = ""] = request.preview === undefined ? [] : (/^ {2}([+-])/.exec(line) ?? []);
    const colour = { "+": paint.green, "-": paint.red }[mark] ?? asItIs;
    return fitted(line, width - 6)
      .split("\n")
      .map(colour);
  });
  const most = Math.max(3, Math.floor(height * DIALOG_SHARE));
  const shown =
    all.length > most
      ? [...all.slice(0, most - 1), `… ${all.length - most + 1} more lines: ctrl-o shows all of it`]
      : all;
  const reason = request.reason === undefined ? [] : fitted(harmless(request.reason), width - 6).split("\n");
  const keys = [
    `${paint.bold("y")} once`,
    ...(lasting === undefined ? [] : [`${paint.bold("s")} for this session`]),
    `${paint.bold("n")} refuse`,
    `${paint.bold("w")} refuse and say why`,
  ].join("   ");
  return [
    `  ${paint.yellow("?")} ${paint.bold(cut(harmlessLine(request.tool_name ?? APPROVAL_TITLES[request.kind]), width - 6))}`,
    ...shown.map((line) => `    ${line}`),
    ...reason.map((line) => `    ${paint.dim(line)}`),
    ...(lasting === undefined
      ? []
      : [`    ${paint.dim(cut(`for this session: ${harmlessLine(lasting)}`, width - 6))}`]),
    words === undefined
      ? `    ${keys}${leftText(dialog.until, options)}`
      : `    ${typed("To the model: ", words, width, paint)}`,
  ];
}

function asItIs(text: string): string {
  return text;
}

function leftText(until: number | undefined, { paint, now }: BottomOptions): string {
  return until === undefined ? "" : paint.dim(`     ${countdownText(until - now)} left`);
}

function typed(title: string, line: TypedLine, width: number, paint: Paint): string {
  return `${paint.bold(title)}${drawLine(line, width - 6 - title.length)}`;
}

function questionLines(dialog: Dialog & { type: "question" }, options: BottomOptions): readonly string[] {
  const { width, paint } = options;
  const { questions, answers, line } = dialog;
  const asked: UserQuestion | undefined = questions[answers.length];
  const which = questions.length > 1 ? paint.dim(` (${answers.length + 1} of ${questions.length})`) : "";
  const { question = "", options: choices = [], multi_select } = asked ?? {};
  const [first = "", ...more] = fitted(harmless(question), width - 8).split("\n");
  const labels = choices.map(({ label }) => cut(harmlessLine(label), Math.floor(width / 2)));
  const wide = Math.max(0, ...labels.map(columns));
  const hint =
    choices.length === 0 ? "" : `a number${multi_select === true ? ", several with commas" : ""}, or words`;
  return [
    `  ${paint.yellow("?")} ${paint.bold(first)}${which}${leftText(dialog.until, options)}`,
    ...more.map((one) => `    ${paint.bold(one)}`),
    ...choices.map(({ description = "" }, at) =>
      `    ${paint.bold(String(at + 1))}  ${padded(labels[at] ?? "", wide)}  ${paint.dim(cut(harmlessLine(description), width - 12 - wide))}`.trimEnd(),
    ),
    `    ${typed("Your answer: ", line, width - hint.length - 2, paint)}  ${paint.dim(hint)}`,
  ];
}

function chooseLines(
  { title, options: rows, at }: Dialog & { type: "choose" },
  { width, height, paint }: BottomOptions,
): readonly string[] {
  const most = Math.max(3, Math.floor(height * DIALOG_SHARE));
  const first = Math.max(0, Math.min(at - Math.floor(most / 2), rows.length - most));
  const ages = Math.max(0, ...rows.map(({ age }) => age.length));
  return [
    `  ${paint.bold(title)}   ${paint.dim("↑↓ enter, esc")}`,
    ...rows.slice(first, first + most).map(({ label, age }, index) => {
      const text = cut(harmlessLine(label), width - 8 - ages);
      const when = paint.dim(padded(age, ages, true));
      return first + index === at
        ? `  ${paint.bold("›")} ${when}  ${paint.bold(text)}`
        : `    ${when}  ${text}`;
    }),
  ];
}

const [MARK, UNMARK] = ["\u001b[7m", "\u001b[27m"];

/** Typed text in rows of this width, with its cursor; of many, those around the cursor. */
function inputRows({ text, at }: TypedLine, width: number, most: number): readonly string[] {
  const rows: string[] = [""];
  let used = 0;
  let cursorRow = 0;
  const put = (shown: string, wide: number): void => {
    if (used + wide > width) {
      rows.push("");
      used = 0;
    }
    rows[rows.length - 1] += shown;
    used += wide;
  };
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    const isCursor = index === at;
    if (segment === "\n") {
      if (isCursor) put(`${MARK} ${UNMARK}`, 1);
      if (isCursor) cursorRow = rows.length - 1;
      rows.push("");
      used = 0;
      continue;
    }
    put(isCursor ? `${MARK}${segment}${UNMARK}` : segment, columns(segment));
    if (isCursor) cursorRow = rows.length - 1;
  }
  if (at >= text.length) {
    put(`${MARK} ${UNMARK}`, 1);
    cursorRow = rows.length - 1;
  }
  const first = Math.max(0, Math.min(cursorRow - most + 1, rows.length - most));
  return rows.slice(first, first + most);
}
