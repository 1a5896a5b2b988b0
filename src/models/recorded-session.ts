import { TenterhookError } from "../core/base/errors.ts";
import { isRecord } from "../core/base/json.ts";
import type { ScriptStep, ScriptToolCall } from "./script-step.ts";

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
    const record = parsed(line);
    if (isRecord(record)) steps.push(...stepOf(record));
    // Whoever wrote the last line may have been killed before its end.
    else if (at < lines.length - 1) throw bad(`${file}:${at + 1}`, "This line is no record of a session.");
  }
  if (steps.length === 0) throw bad(file, "It holds no answer of a model.");
  return steps;
}

/** The step of a record that holds an answer of the model; of others none. */
function stepOf(record: Value): readonly ScriptStep[] {
  // An item of a subagent is inside the one that tells of it.
  if (isRecord(record.item)) return stepOf(record.item);
  const { message } = record;
  if (!isRecord(message) || message.role !== "assistant" || !Array.isArray(message.parts)) return [];
  // What the runtime said in place of an answer that never came was said by no model.
  if (message.ended !== undefined && message.ended !== "limit") return [];
  const parts = message.parts.filter(isRecord);
  const said = parts.flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []));
  const tool_calls = parts.flatMap(callOf);
  return [{ text: said.join(""), ...(tool_calls.length === 0 ? {} : { tool_calls }) }];
}

function callOf({ type, tool_name, tool_input, tool_use_id }: Value): readonly ScriptToolCall[] {
  if (type !== "tool_call" || typeof tool_name !== "string" || !isRecord(tool_input)) return [];
  const call = { name: tool_name, input: tool_input };
  return [typeof tool_use_id === "string" ? { ...call, id: tool_use_id } : call];
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function bad(place: string, message: string): TenterhookError {
  return new TenterhookError("bad_script", `${place}: ${message}`, {
    hint: "A .jsonl file is played as a recorded session: the file of a session, or the lines of tenterhook run --json.",
  });
}
