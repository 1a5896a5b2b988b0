import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { setIn } from "../../../../config/edit/set-in.ts";
import { loadConfig } from "../../../../config.ts";
import { errorMessage } from "../../../../core/base/error-text.ts";
import { TenterhookError } from "../../../../core/base/errors.ts";
import { makeFolders } from "../../../../node/files/folders.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { shortPath } from "../../../command-line/screen/text.ts";
import { scopeFile } from "../../../configured-hooks/scope-files.ts";
import { asItWas, replaceFile } from "../../../integrations/settings-changes.ts";
import { stopDaemon } from "./connect.ts";

/** `tenterhook monitor disable`: no call starts a daemon any more, and the one that runs ends. */
export async function disable(invocation: Invocation): Promise<void> {
  const { environment, signal, screen, json, cwd } = invocation;
  const { file, backup } = await write(invocation, false);
  const stopped = await stopDaemon(environment, signal);
  if (json) screen.json({ daemon: false, file, stopped });
  else
    screen.print(
      `${shortPath(file, cwd)} says daemon: false. Each call is decided by a process of its own.`,
      ...asItWas(invocation, backup),
      stopped ? "The daemon has stopped." : "No daemon was running.",
    );
}

/** `tenterhook monitor enable`: the next call starts the daemon again. */
export async function enable(invocation: Invocation): Promise<void> {
  const { screen, json, cwd } = invocation;
  const { file, backup } = await write(invocation, true);
  const { daemon } = (await loadConfig(invocation)).settings;
  if (json) screen.json({ daemon, file });
  else
    screen.print(
      daemon
        ? "The next call starts the daemon, which decides later calls."
        : `${shortPath(file, cwd)} no longer switches the daemon off, but another file does: a managed one, or one of this project.`,
      ...asItWas(invocation, backup),
    );
}

/** Changes the user's own file. Returns it, and the copy of it as it was. */
async function write(invocation: Invocation, enabled: boolean) {
  const { root } = (await loadConfig(invocation)).trust;
  const file = scopeFile("user", root, invocation.environment);
  try {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    const edited = setIn(file, text, ["daemon"], enabled ? undefined : false);
    if (edited === text) return { file, backup: undefined };
    makeFolders(dirname(file), 0o777);
    return { file, backup: await replaceFile(file, edited, invocation) };
  } catch (cause) {
    throw new TenterhookError("write_failed", `${file} can't be changed: ${errorMessage(cause)}.`, { cause });
  }
}
