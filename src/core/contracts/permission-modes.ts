import type { PermissionMode } from "./tool.ts";

/** The modes, the loosest first. */
export const PERMISSION_MODES = [
  "bypass",
  "accept-edits",
  "default",
  "dont-ask",
  "plan",
] as const satisfies readonly PermissionMode[];

/** The one of two modes in which less goes on without asking. */
export function stricterMode(one: PermissionMode, other: PermissionMode): PermissionMode {
  return isLooser(one, other) ? other : one;
}

/** True when more goes on without asking in the first than in the second. */
export function isLooser(one: PermissionMode, other: PermissionMode): boolean {
  return PERMISSION_MODES.indexOf(one) < PERMISSION_MODES.indexOf(other);
}
