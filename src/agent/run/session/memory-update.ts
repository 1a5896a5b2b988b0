import { ignore } from "../../../core/base/error-text.ts";
import type { ToolInput } from "../../../core/contracts/tool-types.ts";
import { internals } from "../../../core/internals.ts";
import { namedFiles } from "../../../core/match/tool-inputs.ts";
import { nodePaths } from "../../../node/ports.ts";
import { fire, fireAnyway, fireBetweenTurns } from "./fire.ts";
import type { AgentSession, Turn } from "./session.ts";

/** The memory file that an input names, by whichever path. */
export function memoryFileOf(session: AgentSession, input: ToolInput): string | undefined {
  const { paths } = session.memoryFiles;
  if (paths.length === 0) return undefined;
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
 * Fires a pending MemoryUpdate before a tool writes a memory file. Returns the reason of a deny.
 *
 * @throws TurnEnded when a hook ends the run.
 */
export async function refusedMemoryWrite(
  turn: Turn,
  file_path: string,
  tool_use_id: string,
): Promise<string | undefined> {
  const previous_hash = turn.session.memoryFiles.hashOf(file_path);
  const { action, reason } = await fire(turn, "MemoryUpdate", {
    file_path,
    tool_use_id,
    pending: true,
    update_type: previous_hash === undefined ? "created" : "modified",
    previous_hash,
  });
  return action === "deny" ? (reason ?? `A hook protects ${file_path}.`) : undefined;
}

export async function tellWrittenMemory(turn: Turn): Promise<void> {
  for (const change of await turn.session.memoryFiles.changes())
    await fire(turn, "MemoryUpdate", { ...change });
}

/** Starts watching the memory files once a hook wants MemoryUpdate. */
export async function watchMemory(session: AgentSession): Promise<void> {
  const { memoryFiles, hooks } = session;
  if (memoryFiles.started || !internals(hooks).wants("MemoryUpdate")) return;
  // Node holds the watcher and this function until it is stopped.
  const watched = new WeakRef(session);
  await memoryFiles.start(() => {
    const alive = watched.deref();
    if (alive !== undefined) ignore(tellMemoryChanges(alive));
  });
}

/** Fires MemoryUpdate for changes that the watcher reports, and at the end of a turn. */
export async function tellMemoryChanges(session: AgentSession): Promise<void> {
  if (!session.memoryFiles.started) return;
  for (const change of await session.memoryFiles.changes()) {
    const { turn, lifetime } = session;
    if (turn !== undefined) await fireAnyway(session, "MemoryUpdate", { ...change }, turn.firing);
    else await fireBetweenTurns(session, "MemoryUpdate", { ...change }, lifetime.signal);
  }
}
