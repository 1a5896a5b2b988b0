import { isRecord } from "../../core/base/json.ts";
import { inputText, subjectOf } from "../../shared/call-text.ts";
import { harmless } from "../../shared/harmless.ts";
import { cut } from "../layout.ts";
import { shortPath } from "../words.ts";

type Input = Readonly<Record<string, unknown>>;

const MOST_CHARACTERS = 600;
const MOST_CHANGED_LINES = 6;
const MOST_WRITTEN_LINES = 20;
const MOST_PREVIEWED_LINES = 100;

/** The part of a tool's input that says what a call is about. */
const SUBJECTS: Readonly<Record<string, (input: Input, folder: string) => unknown>> = {
  Bash: ({ command }) => command,
  Read: path,
  Write: path,
  Edit: path,
  Memory: ({ command, ...input }, folder) => `${command} ${path(input, folder) ?? ""}`,
  Skill: ({ skill, args = "" }) => `${skill} ${args}`,
  Monitor: ({ task_id = "" }) => task_id,
  TaskStop: ({ task_id }) => task_id,
  Glob: ({ pattern }) => pattern,
  Grep: ({ pattern }) => pattern,
  WebFetch: ({ url }) => url,
  Task: ({ description }) => description,
  TodoWrite: () => "",
  AskUserQuestion: ({ questions }) =>
    Array.isArray(questions)
      ? questions.map((one: unknown) => (isRecord(one) ? one.question : one)).join(" ")
      : "",
};

export function callText(tool: string, input: Input, folder: string, most = MOST_CHARACTERS): string {
  const named = Object.hasOwn(SUBJECTS, tool) ? SUBJECTS[tool]?.(input, folder) : undefined;
  const subject = typeof named === "string" ? named : subjectOf(input);
  return cut(harmless(subject.trim()), most);
}

/** A call as the user who approves it must see it: nothing is left out without a note. */
export function wholeCall(tool: string, input: Input, folder: string, preview?: string): readonly string[] {
  const known = Object.hasOwn(SUBJECTS, tool) && tool !== "Bash";
  const whole = known ? callText(tool, input, folder, Number.POSITIVE_INFINITY) : harmless(inputText(input));
  const lines = whole.split("\n");
  // The file's name is above.
  const change = preview?.replace(/^--- .*\n\+\+\+ .*\n/, "");
  if (change !== undefined) return [...lines, ...marked(change, "", MOST_PREVIEWED_LINES)];
  const { content } = input;
  if (tool !== "Write" || typeof content !== "string") return [...lines, ...changedLines(tool, input)];
  return [...lines, ...marked(content, "+", MOST_WRITTEN_LINES)];
}

function changedLines(tool: string, input: Input): readonly string[] {
  const { old_string: old, new_string: next } = input;
  if (tool !== "Edit" || typeof old !== "string" || typeof next !== "string") return [];
  return [...marked(old, "-"), ...marked(next, "+")];
}

function marked(text: string, mark: string, most = MOST_CHANGED_LINES): readonly string[] {
  const lines = text.replace(/\n$/, "").split("\n");
  const start = mark === "" ? "  " : `  ${mark} `;
  const shown = lines.slice(0, most).map((line) => `${start}${cut(harmless(line), MOST_CHARACTERS)}`);
  return lines.length > most ? [...shown, `${start}… ${lines.length - most} more`] : shown;
}

function path({ file_path }: Input, folder: string): unknown {
  return typeof file_path === "string" && file_path.startsWith("/")
    ? shortPath(file_path, folder)
    : file_path;
}
