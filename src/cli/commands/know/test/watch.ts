import { watch } from "node:fs";
import { dirname } from "node:path";
import type { Invocation } from "../../../command-line/command.ts";
import { showFailure } from "../../../command-line/failures.ts";

/** Editors write a file in several steps. */
const SETTLES_MILLISECONDS = 100;

/**
 * Does something once, and again after every change in the folders of the files that it has used, until the user ends
 * it. A file that can't be used is shown, and changes go on counting.
 */
export async function watchFiles(
  { screen, json, cwd, signal }: Invocation,
  once: () => Promise<readonly string[]>,
): Promise<void> {
  let folders: readonly string[] = [cwd];
  while (!signal.aborted) {
    if (screen.interactive) screen.write("\u001b[2J\u001b[H");
    try {
      folders = [...new Set((await once()).map((file) => dirname(file)))];
    } catch (error) {
      if (signal.aborted) return;
      showFailure(error, { screen, json, debug: false, cwd });
    }
    screen.print("", screen.paint.dim("  Waiting for changes; Ctrl-C ends."));
    await change(folders, signal);
  }
}

/** Resolves after a change in one of the folders, or when the signal is aborted. */
function change(folders: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const watchers = folders.flatMap((folder) => {
      try {
        return [watch(folder, () => setTimeout(end, SETTLES_MILLISECONDS)).on("error", () => undefined)];
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
  });
}
