import type { Settings } from "./combine/merge-settings.ts";

/** True when permission rules decide such an event of an agent that does not know them. */
export function permissionsDecide(
  { settings }: { readonly settings: Pick<Settings, "permissions"> },
  event: string,
): boolean {
  const { deny = [], ask = [], allow = [] } = settings.permissions;
  return event === "PreToolUse" && deny.length + ask.length + allow.length > 0;
}
