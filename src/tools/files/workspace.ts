import { sep } from "node:path";
import type { ToolContext } from "../../core/contracts/tool.ts";
import { nodePaths } from "../../node/paths.ts";
import { failed } from "../input.ts";

/** A path of a call, known to lead into the workspace. */
export interface Place {
  /** As the model wrote it, for messages. */
  readonly written: string;
  /** Where it leads: absolute, every symbolic link followed. */
  readonly real: string;
  /** It is outside the workspace, and may be read all the same. */
  readonly outside?: true;
}

/** A file outside the workspace that a tool has made for the agent to read. */
export function allowReading(real: string, { memory }: Pick<ToolContext, "memory">): void {
  memory.set(`readable:${real}`, true);
}

type Confined = Pick<ToolContext, "cwd" | "workspace">;

/**
 * Where a path leads, which need not exist yet.
 *
 * @throws TenterhookError `tool_failed` when that is outside the workspace, whether by `..`, by `~`, as an absolute path
 * or through a symbolic link.
 */
export function placeInWorkspace(written: string, context: Confined): Place {
  const real = realPath(written, context.cwd);
  if (isInWorkspace(real, context)) return { written, real };
  const leads = real === written ? "is" : `leads to ${real}, which is`;
  throw failed(`${written} ${leads} outside the workspace (${context.workspace.join(", ")}).`);
}

/** Like {@link placeInWorkspace}, and also for the files that {@link allowReading} was told of. */
export function placeToRead(written: string, context: Confined & Pick<ToolContext, "memory">): Place {
  const real = realPath(written, context.cwd);
  if (context.memory.get(`readable:${real}`) === true) return { written, real, outside: true };
  return placeInWorkspace(written, context);
}

/** True for a real path that is a folder of the workspace or below one. */
export function isInWorkspace(real: string, context: Confined): boolean {
  return context.workspace.some((folder) => {
    const root = realPath(folder, context.cwd);
    return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
  });
}

/** The last spelling is where a path leads; one that leads on from there was not followed to its end. */
function realPath(path: string, cwd: string): string {
  if (path.includes("\0")) throw failed("A path can't hold a NUL character.");
  const real = nodePaths.spellings(path, cwd).at(-1) ?? path;
  if (nodePaths.spellings(real, cwd).length > 1)
    throw failed(`${path} goes through too many symbolic links.`);
  return real;
}
