import { join } from "node:path";
import { isRecord, parseJson } from "../../../core/base/json.ts";
import type { TypedInput } from "../../../core/contracts/transcript.ts";
import { appendLines } from "../../../node/files/append.ts";
import { makePrivateFolder } from "../../../node/files/make-folders.ts";
import { rotate } from "../../../node/files/rotate.ts";
import type { HistoryQuery } from "../backend.ts";
import { hasStrings } from "../records.ts";
import { scanFile } from "./scan-lines.ts";

/** There are at most two files of this size; what is older is dropped. */
const MOST_BYTES = 4 * 1024 * 1024;

export function addInput(folder: string, input: TypedInput): void {
  makePrivateFolder(folder);
  const { current, older } = inputFiles(folder);
  if (appendLines(current, [JSON.stringify(input)]) > MOST_BYTES) rotate(current, MOST_BYTES, () => older);
}

/** The last inputs of the user, the oldest first. */
export async function readInputs(
  folder: string,
  { session_id, cwd, limit, signal }: HistoryQuery,
): Promise<readonly TypedInput[]> {
  const found: TypedInput[] = [];
  const visit = ({ text }: { readonly text: string }): void => {
    const input = parseJson(text);
    if (!isInput(input)) return;
    if (session_id !== undefined && input.session_id !== session_id) return;
    if (cwd === undefined || input.cwd === cwd) found.push(input);
  };
  const { current, older } = inputFiles(folder);
  for (const file of [older, current]) await scanFile(file, visit, signal);
  return found.slice(-limit);
}

function inputFiles(folder: string): { readonly current: string; readonly older: string } {
  return { current: join(folder, "inputs.jsonl"), older: join(folder, "inputs.older.jsonl") };
}

function isInput(value: unknown): value is TypedInput {
  return isRecord(value) && hasStrings(value, ["text", "session_id", "typed_at"]);
}
