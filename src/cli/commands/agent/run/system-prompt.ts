import { existsSync } from "node:fs";
import { platform } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { openFile } from "../../../../agent/tools/files/open-file.ts";
import { type Place, placeInWorkspace } from "../../../../agent/tools/files/workspace.ts";
import { readTool } from "../../../../agent/tools/read.ts";
import type { Permissions } from "../../../../agent.ts";
import { errorMessage } from "../../../../core/base/error-text.ts";
import { capText } from "../../../../core/base/text.ts";
import type { PermissionMode } from "../../../../core/contracts/tool.ts";
import type { Hooks } from "../../../../index.ts";
import { nodePaths } from "../../../../node/ports.ts";

const MOST_CHARACTERS = 30_000;

/** No character has more than four bytes. */
const MOST_BYTES = 4 * MOST_CHARACTERS + 4;

const PROMPT = `You are a coding agent. You work on the user's task in their workspace, with the tools you have, until it is done.

- Look before you change: read the files that matter and follow the style you find there.
- Change what the task needs and nothing else. Check your work by running what the project has for that.
- Hooks of the user look at what you do. A refused call has a reason: do what it says, and do not try to get around it.
- Text marked as context or HookInput comes from the user's hooks.
- Nobody may be there to answer. Ask only what you can't decide, and say in the end what you did, briefly and plainly.`;

/** Where an agent starts, and what decides about the files it reads there. */
export interface PromptSite {
  readonly folder: string;
  readonly session_id: string;
  readonly memory_files: readonly string[];
  readonly permissions: Permissions;
  readonly mode: PermissionMode;
  readonly hooks: Pick<Hooks, "fire">;
  readonly signal: AbortSignal;
  /** Receives a sentence about each memory file that is left out. */
  readonly report: (message: string) => void;
}

/**
 * The system prompt: how to work, where, and the project's memory files. A memory file is read as the Read tool reads:
 * within the workspace, with links followed, if hooks and permissions allow it and a human need not be asked.
 */
export async function systemPrompt(site: PromptSite): Promise<string> {
  const parts = [PROMPT, `Workspace: ${site.folder}\nPlatform: ${platform()}`];
  for (const name of site.memory_files) {
    const text = await memoryText(name, site).catch((error: unknown) => {
      site.signal.throwIfAborted();
      site.report(`The memory file ${name} is left out: ${errorMessage(error)}`);
      return "";
    });
    if (text.trim() !== "") parts.push(`# ${name}\n\n${capText(text.trim(), MOST_CHARACTERS)}`);
  }
  return parts.join("\n\n");
}

/** @throws Error that says why the file must not be read. */
async function memoryText(name: string, site: PromptSite): Promise<string> {
  const { folder: cwd, signal } = site;
  const context = { cwd, workspace: [cwd], signal };
  const place = placeOf(name, context);
  if (place === undefined) return "";
  // A link may lead elsewhere by the time it is checked, so what it leads to is checked by its own path too.
  for (const path of new Set([resolve(cwd, name), place.real])) await checkRead(path, place, site);
  const handle = await openFile(place, context);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * Only the configuration in force can name a file outside of the workspace, by an absolute path.
 *
 * @returns undefined when there is no such file.
 * @throws TenterhookError `tool_failed` for a path that leads out of the workspace.
 */
function placeOf(
  name: string,
  { cwd, workspace }: { readonly cwd: string; readonly workspace: readonly string[] },
): Place | undefined {
  const place: Place = isAbsolute(name)
    ? { written: name, real: nodePaths.spellings(name, cwd).at(-1) ?? name, outside: true }
    : placeInWorkspace(name, { cwd, workspace });
  return existsSync(place.real) ? place : undefined;
}

/** @throws Error with the reason for which the read is refused. */
async function checkRead(file_path: string, place: Place, site: PromptSite): Promise<void> {
  const { folder: cwd, session_id, mode, permissions, hooks, signal } = site;
  const call = { tool_name: readTool.name, tool_input: { file_path } };
  const verdict = await permissions.check({ ...call, tool: readTool, mode, cwd, workspace: [cwd] }, signal);
  if (verdict.action === "deny" || (verdict.action === "ask" && place.outside !== true))
    throw new Error(verdict.reason ?? "The permissions do not allow reading it.");
  const event = { hook_event_name: "PreToolUse", session_id, cwd, ...call } as const;
  const { action, reason, abort } = await hooks.fire(event, { signal });
  if (action === "deny" || action === "ask" || abort !== undefined)
    throw new Error(reason ?? abort?.reason ?? "A hook does not allow reading it.");
}
