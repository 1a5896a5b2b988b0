import { statSync, watch } from "node:fs";
import { dirname, join } from "node:path";
import type { Invocation } from "../../../command-line/command.ts";
import { showFailure } from "../../../command-line/failures.ts";

/** Editors write a file in several steps. */
const SETTLES_MILLISECONDS = 100;
/** File times can lag behind the clock by this much. */
const CLOCK_MILLISECONDS = 10;

/**
 * Does something once, and again after every change in the folders of the files that it uses, until the user ends it.
 * A file that can't be used is shown, and changes go on counting.
 *
 * @param once says which files it uses before it takes its time: one that changes meanwhile counts.
 */
export async function watchFiles(
  { screen, json, cwd, signal }: Invocation,
  once: (uses: (files: readonly string[]) => void) => Promise<unknown>,
): Promise<void> {
  let used: readonly string[] = [join(cwd, ".tenterhook"), join(cwd, ".tenterhook/hooks.yaml")];
  while (!signal.aborted) {
    if (screen.interactive) screen.write("\u001b[2J\u001b[H");
    const begun = Date.now() - CLOCK_MILLISECONDS;
    try {
      await once((files) => {
        used = files;
      });
    } catch (error) {
      if (signal.aborted) return;
      showFailure(error, { screen, json, debug: false, cwd });
    }
    screen.print("", screen.paint.dim("  Waiting for changes; Ctrl-C ends."));
    await change(used, begun, signal);
  }
}

/** Resolves after a change in one of the folders of the files since that time, or when the signal is aborted. */
function change(files: readonly string[], since: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => void setTimeout(end, SETTLES_MILLISECONDS);
    const watchers = [...new Set(files.map((file) => dirname(file)))].flatMap((folder) => {
      try {
        return [watch(folder, settle).on("error", () => undefined)];
      } catch {
        return [];
      }
    });
    const end = (): void => {
      for (const watcher of watchers) watcher.close();
      signal.removeEventListener("abort", end);
      resolve();
    };
    signal.addEventListener("abort", end, { once: true });
    // A file may also have a time that is still to come.
    const now = Date.now();
    if (files.map(changedAt).some((time) => time > since && time <= now)) settle();
  });
}

function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
