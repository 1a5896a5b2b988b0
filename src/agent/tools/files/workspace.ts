import { sep } from "node:path";
import type { ToolContext } from "../../../core/contracts/tool.ts";
import { nodePaths } from "../../../node/ports.ts";
import { failed } from "../input.ts";

/** A path of a call, checked to be inside the workspace. */
export interface Place {
  /** As the model wrote it, for messages. */
  readonly written: string;
  /** Absolute, with every symbolic link resolved. */
  readonly real: string;
  /** It is outside the workspace, and may be read anyway. */
  readonly outside?: true;
}

/** Allows reading a file outside the workspace that a tool created for the agent. */
export function allowReading(real: string, { memory }: Pick<ToolContext, "memory">): void {
  memory.set(`readable:${real}`, true);
}

/** The real path of a file that a tool has opened for reading; `undefined` for every other. */
export function openedFile(
  written: string,
  cwd: string,
  { memory }: Pick<ToolContext, "memory">,
): string | undefined {
  const real = nodePaths.spellings(written, cwd).at(-1) ?? written;
  return memory.get(`readable:${real}`) === true ? real : undefined;
}

type Confined = Pick<ToolContext, "cwd" | "workspace">;

/**
 * Resolves a path, which need not exist yet.
 *
 * @throws TenterhookError `tool_failed` when it is outside the workspace, whether by `..`, by `~`, as an absolute path
 * or through a symbolic link.
 */
export function placeInWorkspace(written: string, context: Confined): Place {
  const real = realPath(written, context.cwd);
  if (isInWorkspace(real, context)) return { written, real };
  const leads = real === written ? "is" : `leads to ${real}, which is`;
  throw failed(`${written} ${leads} outside the workspace (${context.workspace.join(", ")}).`);
}

/** Like {@link placeInWorkspace}, plus the files of {@link allowReading}. */
export function placeToRead(written: string, context: Confined & Pick<ToolContext, "memory">): Place {
  const real = realPath(written, context.cwd);
  if (context.memory.get(`readable:${real}`) === true) return { written, real, outside: true };
  return placeInWorkspace(written, context);
}

function isInWorkspace(real: string, context: Confined): boolean {
  return context.workspace.some((folder) => {
    const root = realPath(folder, context.cwd);
    return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
  });
}

/** The last spelling is the resolved path; if that one resolves further, there were too many links. */
function realPath(path: string, cwd: string): string {
  if (path.includes("\0")) throw failed("A path can't hold a NUL character.");
  const real = nodePaths.spellings(path, cwd).at(-1) ?? path;
  if (nodePaths.spellings(real, cwd).length > 1)
    throw failed(`${path} goes through too many symbolic links.`);
  return real;
}
