import type { Approval, ApprovalRequest, AskApproval, AskUser } from "../../../../agent.ts";
import { errorMessage } from "../../../../core/base/error-text.ts";
import { yesOrNo } from "../../../../core/base/yes-or-no.ts";
import { readQuestion, readQuestionAnswer } from "../../../../core/contracts/questions.ts";
import type { UserQuestion } from "../../../../core/contracts/tool.ts";
import { APPROVAL_TITLES, lastingText } from "../../../../terminal/approval-text.ts";
import { wholeCall } from "../../../../terminal/cells/call-line.ts";
import { askLine } from "../../../command-line/ask-line.ts";
import type { Screen } from "../../../command-line/screen/screen.ts";
import { harmless } from "../../../command-line/screen/text.ts";
import type { Paragraphs } from "./view/paragraphs.ts";

export interface Desk {
  readonly paragraphs: Paragraphs;
  readonly screen: Screen;
  readonly folder: string;
  /** Aborted when the user interrupts the agent. */
  readonly signal: AbortSignal;
}

/** Asks on the terminal: allow once, allow for the session, or refuse, optionally with feedback for the model. */
export function approveOn(desk: Desk): AskApproval {
  const { paragraphs, screen, folder } = desk;
  return async (request, signal) => {
    const { bold, yellow } = screen.paint;
    const lasting = lastingText(request);
    paragraphs.block(
      `${yellow("?")} ${bold(title(request))}`,
      ...subject(request, folder).map((line) => `    ${line}`),
      ...(request.reason === undefined ? [] : [`  ${harmless(request.reason)}`]),
      `  ${bold("y")} allow once${lasting === undefined ? "" : `   ${bold("s")} allow for this session (${harmless(lasting)})`}   ${bold("n")} refuse`,
      "  or write what is to be done instead",
    );
    return approvalOf(await typed(desk, signal), lasting !== undefined);
  };
}

/**
 * What is typed. When the question is over before, because somebody has answered elsewhere or nobody in time, says so.
 *
 * @throws the signal's reason.
 */
async function typed(desk: Desk, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await askLine("> ", signal);
  } catch (error) {
    if (signal.aborted && !desk.signal.aborted) {
      desk.screen.write("\n");
      desk.paragraphs.block(`  ${harmless(errorMessage(signal.reason))}`);
    }
    throw error;
  }
}

/** Reads a typed line. An empty line, or anything but yes, refuses. */
export function approvalOf(line: string | undefined, canLast: boolean): Approval {
  const typed = line?.trim() ?? "";
  if (/^(s|session)$/i.test(typed)) return canLast ? { allow: true, for: "session" } : false;
  const answer = /^o$/i.test(typed) || yesOrNo(typed);
  return typeof answer === "string" ? { allow: false, feedback: answer } : answer === true;
}

/** Asks the agent's questions one after the other; an empty line is no answer. */
export function askUserOn(desk: Desk): AskUser {
  const { paragraphs, screen } = desk;
  return async (questions, signal) => {
    const answers: Record<string, string> = {};
    for (const asked of questions) {
      const { bold, yellow, dim } = screen.paint;
      const { question, options = [], multi_select } = asked;
      paragraphs.block(
        `${yellow("?")} ${bold(harmless(question))}`,
        ...options.map(
          ({ label, description = "" }, at) =>
            `  ${at + 1}  ${harmless(label)}  ${dim(harmless(description))}`,
        ),
        ...(options.length === 0
          ? []
          : [
              `  a number${multi_select === true ? ", or several with commas" : ""}, or an answer of your own`,
            ]),
      );
      const line = await typed(desk, signal);
      if (line === undefined) return undefined;
      answers[question] = answerOf(line, asked);
    }
    return answers;
  };
}

/** Reads a typed line: numbers choose options, anything else is the answer itself. */
export function answerOf(line: string, question: UserQuestion): string {
  const read = readQuestionAnswer(readQuestion(question), line);
  return "answer" in read ? read.answer : line.trim();
}

function title({ kind, tool_name }: ApprovalRequest): string {
  return tool_name === undefined ? APPROVAL_TITLES[kind] : `${APPROVAL_TITLES[kind]}: ${harmless(tool_name)}`;
}

function subject(
  { tool_name, tool_input, preview, subject: given = "" }: ApprovalRequest,
  folder: string,
): readonly string[] {
  if (tool_name !== undefined && tool_input !== undefined)
    return wholeCall(tool_name, tool_input, folder, preview);
  return harmless(given).split("\n");
}
