import type { PackName } from "../../core/registration/plugin.ts";
import { gitSafety } from "./git-safety.ts";
import { noNetwork } from "./no-network.ts";
import type { Pack, PackHook, PackRule } from "./pack.ts";
import { protectSecrets } from "./protect-secrets.ts";
import { safeShell } from "./safe-shell.ts";

/** The packs that ship with the package, by the name `use` takes. */
export const PACKS: ReadonlyMap<string, Pack> = new Map(
  Object.entries({
    "safe-shell": safeShell,
    "protect-secrets": protectSecrets,
    "git-safety": gitSafety,
    "no-network": noNetwork,
  } satisfies Readonly<Record<PackName, Pack>>),
);

const HOOKS: readonly PackHook[] = [...PACKS.values()].flatMap(({ definitions }) => definitions);

/** The rules of all packs by name. */
export const PACK_RULES: ReadonlyMap<string, PackRule> = new Map(
  HOOKS.flatMap(({ rows }) => rows.map((rule) => [rule.id, rule])),
);

export function rulesOfHook(name: string): readonly PackRule[] {
  return HOOKS.find((hook) => hook.name === name)?.rows ?? [];
}
