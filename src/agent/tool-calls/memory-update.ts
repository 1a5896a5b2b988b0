import { ignore } from "../../core/base/error-text.ts";
import { namedFiles } from "../../core/match/tool-inputs.ts";
import { nodePaths } from "../../node/paths.ts";
import { fire, fireAnyway, fireBetweenTurns } from "../session/fire.ts";
import type { AgentSession, Turn } from "../session/session.ts";
import type { PassedCall } from "./calls.ts";
import type { MemoryChange } from "./memory-files.ts";

/** The memory file a call is about to write, if it is one, whichever way its path leads there. */
export function memoryFileOf(session: AgentSession, { tool, input }: PassedCall): string | undefined {
  const { paths } = session.memoryFiles;
  if (tool.annotations?.edits_files !== true || paths.length === 0) return undefined;
  const { cwd } = session.identity;
  for (const { path } of namedFiles(input)) {
    const written = nodePaths.spellings(path, cwd);
    const found = paths.find((memory) =>
      nodePaths.spellings(memory, cwd).some((one) => written.includes(one)),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Asks hooks before a tool of ours writes a memory file: a deny refuses the call. Answers their reason, or nothing.
 *
 * @throws TurnEnded when a hook ends the run.
 */
export async function refusedMemoryWrite(
  session: AgentSession,
  turn: Turn,
  file_path: string,
  tool_use_id: string,
): Promise<string | undefined> {
  const previous_hash = session.memoryFiles.hashOf(file_path);
  const { action, reason } = await fire(session, turn, "MemoryUpdate", {
    file_path,
    tool_use_id,
    pending: true,
    update_type: previous_hash === undefined ? "created" : "modified",
    ...(previous_hash === undefined ? {} : { previous_hash }),
  });
  return action === "deny" ? (reason ?? `A hook protects ${file_path}.`) : undefined;
}

/** Looks at the memory files after a call that writes one, and tells hooks of what changed. */
export async function tellWrittenMemory(session: AgentSession, turn: Turn): Promise<void> {
  for (const change of await session.memoryFiles.changes())
    await fire(session, turn, "MemoryUpdate", { ...change });
}

/** Starts to watch the memory files once somebody wants to hear of them. */
export async function watchMemory(session: AgentSession): Promise<void> {
  const { memoryFiles, hooks } = session;
  if (memoryFiles.started || !hooks.wants("MemoryUpdate")) return;
  await memoryFiles.start(() => ignore(tellMemoryChanges(session)));
}

/** Tells hooks of changes nobody in the loop waits for: those the watcher heard of, and at the end of a turn. */
export async function tellMemoryChanges(session: AgentSession): Promise<void> {
  if (!session.memoryFiles.started) return;
  for (const change of await session.memoryFiles.changes()) await tellChange(session, change);
}

async function tellChange(session: AgentSession, change: MemoryChange): Promise<void> {
  const { turn, lifetime } = session;
  if (turn !== undefined) await fireAnyway(session, "MemoryUpdate", { ...change }, turn.firing);
  else await fireBetweenTurns(session, "MemoryUpdate", { ...change }, lifetime.signal);
}
