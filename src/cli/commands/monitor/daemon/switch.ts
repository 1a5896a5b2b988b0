import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { setIn } from "../../../../config/edit/set-in.ts";
import { loadConfig } from "../../../../config.ts";
import { errorMessage } from "../../../../core/base/error-text.ts";
import { TenterhookError } from "../../../../core/base/errors.ts";
import { replaceFile } from "../../../../install/change-files.ts";
import { makeFolders } from "../../../../node/files/folders.ts";
import type { CommandRun, Invocation } from "../../../command-line/command.ts";
import { shortPath } from "../../../command-line/screen/text.ts";
import { scopeFile } from "../../../configured-hooks/scope-files.ts";
import { asItWas } from "../../../integrations/as-it-was.ts";
import { stopDaemon } from "./connect.ts";

/** No call starts a daemon any more, and the one that runs ends. */
export const switchOff: CommandRun = async (invocation) => {
  const { environment, signal, cwd } = invocation;
  const { file, backup } = await write(invocation, false);
  const stopped = await stopDaemon(environment, signal);
  return {
    json: { daemon: false, file, stopped },
    blocks: [
      `${shortPath(file, cwd)} now has daemon: false, so each call starts its own process. tenterhook daemon start undoes it.`,
      asItWas(invocation, backup),
      stopped ? "The daemon has stopped." : "No daemon was running.",
    ],
  };
};

/** Takes that back where the user's own file says it, and says when another file switches the daemon off. */
export async function switchOn(invocation: Invocation): Promise<void> {
  const { screen, cwd } = invocation;
  if ((await loadConfig(invocation)).settings.daemon) return;
  const { file, backup } = await write(invocation, true);
  screen.tell(...asItWas(invocation, backup));
  if ((await loadConfig(invocation)).settings.daemon) return;
  screen.tell(
    `${shortPath(file, cwd)} does not switch the daemon off, but another file does: a managed one, or one of this project.`,
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
