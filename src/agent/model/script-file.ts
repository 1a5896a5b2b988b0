import { basename } from "node:path";
import type { LanguageModelV3 } from "@ai-sdk/provider";
import { isNode, LineCounter, parseDocument } from "yaml";
import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord, parseJson } from "../../core/base/json.ts";
import { readRegularFile, UnfitFileError } from "../../node/files/regular-file.ts";
import { systemCode } from "../../node/system-code.ts";
import type { PlayedAnswers, PlayingModel } from "../../shared/contracts/judge.ts";
import { isStep, issueSentence, type ScriptStep, type ScriptToolCall, stepIssue } from "./script-step.ts";
import { playingModel } from "./scripted-model.ts";

const MOST_BYTES = 10_000_000;
/** A recording holds what tools answered too. */
const MOST_RECORDED_BYTES = 100_000_000;

/**
 * The model of `scripted:<file>`: plays the list of steps in a YAML or JSON file, or the answers of a session that was
 * recorded in a `.jsonl` file. In a conversation that goes on it plays on with the step after those it has answered with.
 *
 * @throws TenterhookError `bad_script` that names the file and, for a step that can't be played, line and column.
 */
export async function scriptedFileModel(file: string): Promise<LanguageModelV3 & PlayingModel> {
  const text = readScript(file);
  const steps = isRecording(file) ? recordedSteps(file, text) : parseScript(file, text);
  const { model, startAt } = playingModel(steps, basename(file));
  return { ...model, goOnAfter: (played) => startAt(stepAfter(steps, played)) };
}

/** The step behind so many answers: what failed before one of them was played as well. */
function stepAfter(steps: readonly ScriptStep[], { answers, failed }: PlayedAnswers): number {
  let step = 0;
  for (let left = answers; left > 0; step += 1) if (steps[step]?.error === undefined) left -= 1;
  while (failed && steps[step]?.error !== undefined) step += 1;
  return step;
}

/**
 * Reads the steps of a script.
 *
 * @throws TenterhookError `bad_script` with file, line and column of the first thing that is wrong.
 */
export function parseScript(file: string, text: string): readonly ScriptStep[] {
  const lines = new LineCounter();
  const fail = (offset: number, message: string) => {
    const { line, col } = lines.linePos(offset);
    return new TenterhookError("bad_script", `${file}:${line}:${col}: ${message}`);
  };
  const document = parsed(file, text, lines);
  const [wrong] = [...document.errors, ...document.warnings];
  if (wrong !== undefined) throw fail(wrong.pos[0], `${wrong.message.split("\n")[0]}.`);
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  if (!Array.isArray(value)) throw fail(0, "A script is a list of steps, one for each call of the model.");
  return value.map((step: unknown, index) => {
    if (isStep(step)) return step;
    const issue = stepIssue(step) ?? { path: [], text: "can't be played." };
    const key = issue.unknown === undefined ? [] : [issue.unknown.key];
    const offset = offsetOf(document, [index, ...issue.path, ...key]);
    throw fail(offset, `Step ${index + 1}: ${issueSentence(issue)}`);
  });
}

function parsed(file: string, text: string, lineCounter: LineCounter) {
  try {
    return parseDocument(text, {
      lineCounter,
      version: "1.2",
      schema: "core",
      prettyErrors: false,
      logLevel: "error",
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TenterhookError("bad_script", `${file}: Values are nested too deeply.`);
  }
}

/** The position of a value; for a missing one, that of the nearest thing around it. */
function offsetOf(document: ReturnType<typeof parseDocument>, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function readScript(file: string): string {
  try {
    const bytes = readRegularFile(file, isRecording(file) ? MOST_RECORDED_BYTES : MOST_BYTES);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    const why =
      cause instanceof UnfitFileError
        ? `: ${cause.message}.`
        : ` (${systemCode(cause) ?? "it is not UTF-8 text"}).`;
    throw new TenterhookError("bad_script", `${file}: The script can't be read${why}`, { cause });
  }
}

function isRecording(file: string): boolean {
  return file.endsWith(".jsonl");
}

type Value = Readonly<Record<string, unknown>>;

/**
 * The steps of a recorded session: what the model answered, in the order it did, subagents included. Takes the file a
 * store keeps of a session, and the lines of `tenterhook run --json`.
 *
 * @throws TenterhookError `bad_script` with file and line of what is no record, and for a file without an answer.
 */
export function recordedSteps(file: string, text: string): readonly ScriptStep[] {
  const lines = text.split("\n");
  const steps: ScriptStep[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const record = parseJson(line);
    if (isRecord(record)) steps.push(...stepOf(record));
    // Whoever wrote the last line may have been killed before its end.
    else if (at < lines.length - 1) throw bad(`${file}:${at + 1}`, "This line is not a record of a session.");
  }
  if (steps.length === 0) throw bad(file, "It contains no answer of a model.");
  return steps;
}

/** The step of a record that holds an answer of the model; of others none. */
function stepOf(record: Value): readonly ScriptStep[] {
  // An item of a subagent is inside the one that tells of it.
  if (isRecord(record.item)) return stepOf(record.item);
  const { message } = record;
  if (!isRecord(message) || message.role !== "assistant" || !Array.isArray(message.parts)) return [];
  // The runtime's own text in place of an answer that never came is from no model.
  if (message.ended !== undefined && message.ended !== "limit") return [];
  const parts = message.parts.filter(isRecord);
  const texts = parts.flatMap(({ type, text }) =>
    type === "text" && typeof text === "string" ? [text] : [],
  );
  const tool_calls = parts.flatMap(callOf);
  return [{ text: texts.join(""), ...(tool_calls.length === 0 ? {} : { tool_calls }) }];
}

function callOf({ type, tool_name, tool_input, tool_use_id }: Value): readonly ScriptToolCall[] {
  if (type !== "tool_call" || typeof tool_name !== "string" || !isRecord(tool_input)) return [];
  const call = { name: tool_name, input: tool_input };
  return [typeof tool_use_id === "string" ? { ...call, id: tool_use_id } : call];
}

function bad(place: string, message: string): TenterhookError {
  return new TenterhookError("bad_script", `${place}: ${message}`, {
    hint: "A .jsonl file is played as a recorded session: the file of a session, or the lines of tenterhook run --json.",
  });
}
