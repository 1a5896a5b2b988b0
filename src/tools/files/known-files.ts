import { createHash } from "node:crypto";
import type { ToolContext } from "../../core/tool.ts";
import { failed } from "../input.ts";
import type { Place } from "./workspace.ts";

type Remembering = Pick<ToolContext, "memory">;

/** What stands for the content of a file. */
export function fingerprint(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Remembers how a file was when this agent last saw or wrote it. */
export function rememberFile(place: Place, mark: string, { memory }: Remembering): void {
  memory.set(memoryKey(place), mark);
}

/**
 * Throws when a file is no longer what this agent last saw of it. A file it never saw is let pass: an edit must fit what
 * is there anyway, and whether a file may be overwritten is for permissions and hooks to say.
 */
export function checkUnchanged(place: Place, bytes: Uint8Array, { memory }: Remembering): void {
  const seen = memory.get(memoryKey(place));
  if (seen === undefined || seen === fingerprint(bytes)) return;
  throw failed(`${place.written} changed since it was read. Read it again, then repeat the change.`);
}

function memoryKey({ real }: Place): string {
  return `file:${real}`;
}
