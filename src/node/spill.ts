import type { Spill } from "../core/ports.ts";
import { builtin } from "./builtin.ts";
import { makeFolders, tidy } from "./files/make-folders.ts";
import { systemCode } from "./system-code.ts";
import { stateFolder } from "./user-folders.ts";

const KEPT = {
  milliseconds: 7 * 24 * 60 * 60 * 1000,
  bytes: Number.POSITIVE_INFINITY,
  concerns: (name: string) => name.endsWith(".txt"),
};

/**
 * Stores long texts in files that only this user can read, for a week. Returns `undefined` when nothing can be written.
 */
export function fileSpill(folder = (): string => builtin.path.join(stateFolder(), "context")): Spill {
  return (text, { hook, event_id }) => {
    try {
      const directory = folder();
      makeFolders(directory);
      tidy(directory, KEPT);
      return writeNew(directory, `${event_id}-${hook.replaceAll(/[^\w.-]/g, "_").slice(0, 60)}`, text);
    } catch {
      return undefined;
    }
  };
}

/** One hook may store several texts on one event. */
function writeNew(directory: string, name: string, text: string): string {
  for (let number = 1; ; number += 1) {
    const path = builtin.path.join(directory, `${name}${number === 1 ? "" : `-${number}`}.txt`);
    try {
      builtin.fs.writeFileSync(path, text, { mode: 0o600, flag: "wx" });
      return path;
    } catch (error) {
      if (systemCode(error) !== "EEXIST" || number > 1000) throw error;
    }
  }
}
