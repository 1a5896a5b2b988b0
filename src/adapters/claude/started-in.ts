import { isRecord } from "../../core/base/json.ts";
import { firstBytes } from "../../node/files/first-bytes.ts";
import type { NativePayload } from "../adapter.ts";

const MOST_BYTES = 500_000;

/** The folder of the first entry of the transcript that has one. Never rejects. */
export async function startedIn({ transcript_path: path }: NativePayload): Promise<string | undefined> {
  if (typeof path !== "string") return undefined;
  try {
    const { bytes } = await firstBytes(path, MOST_BYTES);
    for (const line of bytes.toString("utf8").split("\n")) {
      const entry: unknown = JSON.parse(line);
      if (isRecord(entry) && typeof entry.cwd === "string") return entry.cwd;
    }
  } catch {
    // There is no transcript yet, or its first entries are very long.
  }
  return undefined;
}
