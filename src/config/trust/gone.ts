import { join } from "node:path";
import { idOf, type Trustable, type TrustableKind, type Trustables } from "./trustable.ts";
import type { TrustRecords } from "./verdict.ts";

/** Something that was trusted and no longer exists, which the user has not accepted. */
export interface GoneItem extends Pick<Trustable, "id" | "root" | "key" | "kind" | "name" | "file" | "hash"> {
  /** Its text when it was trusted, as far as it was stored. */
  readonly text: string;
}

/** The first word of a key, and what it stands for. */
const KINDS: Readonly<Record<string, TrustableKind>> = {
  definition: "definition",
  key: "key",
  use: "use",
  file: "file",
  agent: "agent_hook",
};

/** What the user has trusted in these projects and is gone: the branch was switched, or a file was changed or deleted. */
export function goneFrom({ all, root: nearest }: Trustables, records: TrustRecords): readonly GoneItem[] {
  return [...records].flatMap(([root, { items }]) =>
    [...items]
      .filter(([key, { gone }]) => gone !== true && !all.has(idOf(key, root, nearest)))
      .map(([key, { text = "", hash, file = ".tenterhook" }]) => {
        const [kind = "", ...rest] = key.split(" ");
        return {
          id: idOf(key, root, nearest),
          root,
          key,
          kind: KINDS[kind] ?? "key",
          name: rest.slice(kind === "file" ? 0 : 1).join(" "),
          file: join(root, file),
          text,
          hash,
        };
      }),
  );
}

/** True for what guards: without hooks, packs, permissions or the sandbox an agent may do more than was agreed. */
export function isGuard({ kind, name }: GoneItem): boolean {
  return kind === "definition" || kind === "use" || (kind === "key" && GUARDING_KEYS.has(name));
}

const GUARDING_KEYS: ReadonlySet<string> = new Set(["permissions", "sandbox"]);
