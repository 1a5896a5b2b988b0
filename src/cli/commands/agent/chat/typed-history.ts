import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseJson } from "../../../../core/base/json.ts";
import { makeFolders } from "../../../../node/files/folders.ts";
import { stateFolder } from "../../../../node/user-folders.ts";

const MOST_ENTRIES = 500;

/** What the user typed in chats of all folders, the newest last. Nothing that hooks or agents said gets there. */
export function typedHistory(environment: NodeJS.ProcessEnv): {
  readonly entries: readonly string[];
  readonly add: (text: string) => void;
} {
  const file = join(stateFolder(environment), "chat-history.jsonl");
  const lines = linesOf(file);
  const kept = lines.slice(-MOST_ENTRIES);
  const change = (write: () => void): void => {
    try {
      write();
    } catch {
      // The chat goes on without it.
    }
  };
  if (lines.length > 2 * MOST_ENTRIES)
    change(() => writeFileSync(file, kept.map((line) => `${line}\n`).join(""), { mode: 0o600 }));
  return {
    entries: kept.flatMap((line) => {
      const text = parseJson(line);
      return typeof text === "string" ? [text] : [];
    }),
    add: (text) =>
      change(() => {
        makeFolders(dirname(file));
        appendFileSync(file, `${JSON.stringify(text)}\n`, { mode: 0o600 });
      }),
  };
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}
