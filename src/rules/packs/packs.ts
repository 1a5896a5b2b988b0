import { gitSafety } from "./git-safety.ts";
import { noNetwork } from "./no-network.ts";
import type { Pack } from "./pack.ts";
import { protectSecrets } from "./protect-secrets.ts";
import { safeShell } from "./safe-shell.ts";

/** The packs that ship with the package, by the name `use` takes. */
export const PACKS: ReadonlyMap<string, Pack> = new Map(
  [safeShell, protectSecrets, gitSafety, noNetwork].map((pack) => [pack.name, pack]),
);
