import { createHash } from "node:crypto";
import type { EarlierCall, ToolContext } from "../../../core/contracts/tool.ts";
import { failed } from "../input.ts";
import type { FileBefore } from "./replace-file.ts";
import { type Place, placeInWorkspace } from "./workspace.ts";

type Seeing = Pick<ToolContext, "memory" | "earlier" | "cwd" | "workspace">;

/** When the agent last saw the file: Read saw it when it was called, Edit and Write when they returned. */
const SEEN_AT: ReadonlyMap<string, (call: EarlierCall) => string> = new Map([
  ["Read", ({ called_at }) => called_at],
  ["Edit", ({ answered_at }) => answered_at],
  ["Write", ({ answered_at }) => answered_at],
]);

export function fingerprint(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Remembers the content of a file that this agent read or wrote. */
export function rememberFile(place: Place, mark: string, { memory }: Pick<ToolContext, "memory">): void {
  memory.set(memoryKey(place), mark);
}

/**
 * Throws when a file changed since this agent last saw it. A file it never saw passes: an edit must match what is there
 * anyway, and whether a file may be overwritten is up to permissions and hooks.
 */
export function checkUnchanged(place: Place, { bytes, stats }: FileBefore, context: Seeing): void {
  const seen = context.memory.get(memoryKey(place));
  const same =
    seen === undefined
      ? Math.floor(stats.ctimeMs) <= seenBefore(place, context)
      : seen === fingerprint(bytes);
  if (same) return;
  throw failed(`${place.written} changed since it was read. Read it again, then repeat the change.`);
}

/** When a resumed agent last saw a file; infinity when it never did. */
function seenBefore({ real }: Place, context: Seeing): number {
  const last = context.earlier?.().findLast(({ tool_name, tool_input }) => {
    const { file_path } = tool_input;
    return SEEN_AT.has(tool_name) && typeof file_path === "string" && leadsTo(file_path, real, context);
  });
  const at = last === undefined ? undefined : SEEN_AT.get(last.tool_name)?.(last);
  return at === undefined ? Number.POSITIVE_INFINITY : Date.parse(at);
}

function leadsTo(path: string, real: string, context: Seeing): boolean {
  try {
    return placeInWorkspace(path, context).real === real;
  } catch {
    return false;
  }
}

function memoryKey({ real }: Place): string {
  return `file:${real}`;
}
