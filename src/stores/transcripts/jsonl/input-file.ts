import { join } from "node:path";
import { isRecord } from "../../../core/base/json.ts";
import type { InputHistoryOptions, TypedInput } from "../../../core/contracts/transcript.ts";
import { appendLines } from "../../../node/files/append.ts";
import { makePrivateFolder } from "../../../node/files/private-folder.ts";
import { rotate } from "../../../node/files/rotate.ts";
import { fromJson } from "../encode.ts";
import { openToRead } from "./open-to-read.ts";
import { type ScannedLine, scanLines } from "./scan-lines.ts";

/** What is older than two files of this size is forgotten. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Adds to what the user typed. */
export function addInput(folder: string, input: TypedInput): void {
  makePrivateFolder(folder);
  const { current, older } = inputFiles(folder);
  if (appendLines(current, [JSON.stringify(input)]) > MOST_BYTES) rotate(current, MOST_BYTES, () => older);
}

/** The last things the user typed, the oldest first. */
export async function readInputs(
  folder: string,
  { session_id, cwd, limit, signal }: InputHistoryOptions & { readonly limit: number },
): Promise<readonly TypedInput[]> {
  const found: TypedInput[] = [];
  const { current, older } = inputFiles(folder);
  for (const file of [older, current]) {
    const handle = await openToRead(file);
    if (handle === undefined) continue;
    const visit = ({ text }: ScannedLine): void => {
      const input = fromJson(text);
      if (!isInput(input)) return;
      if (session_id !== undefined && input.session_id !== session_id) return;
      if (cwd === undefined || input.cwd === cwd) found.push(input);
    };
    try {
      await scanLines(handle.fd, 0, visit, { signal });
    } finally {
      await handle.close();
    }
  }
  return found.slice(-limit);
}

function inputFiles(folder: string): { readonly current: string; readonly older: string } {
  return { current: join(folder, "inputs.jsonl"), older: join(folder, "inputs.older.jsonl") };
}

function isInput(value: unknown): value is TypedInput {
  return (
    isRecord(value) &&
    typeof value.text === "string" &&
    typeof value.session_id === "string" &&
    typeof value.typed_at === "string"
  );
}
