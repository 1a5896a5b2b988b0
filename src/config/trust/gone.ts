import { join } from "node:path";
import type { Granted } from "./store.ts";
import { idOf, type Trustables } from "./trustable.ts";
import { stateOf, type TrustRecords } from "./verdict.ts";

/** A file that was trusted and is no longer part of the configuration, which the user has not accepted. */
export interface GoneFile extends Granted {
  readonly id: string;
  readonly root: string;
  readonly key: string;
  readonly file: string;
}

/** What the user has trusted in these projects and is gone: the branch was switched, or a file was moved or deleted. */
export function goneFiles({ all, root: nearest }: Trustables, records: TrustRecords): readonly GoneFile[] {
  return [...records].flatMap(([root, { files }]) =>
    [...files].flatMap(([key, granted]) => {
      const id = idOf(key, root, nearest);
      if (granted.gone === true || all.has(id)) return [];
      return [{ ...granted, id, root, key, file: join(root, key) }];
    }),
  );
}

/**
 * The trusted files that guard something and are not what was trusted any more. Their hooks may have moved to other events
 * since, so what they would have refused is not known from what they say now.
 */
export function changedGuards(
  { all }: Trustables,
  records: TrustRecords,
): readonly { readonly root: string; readonly file: string }[] {
  return [...all.values()].flatMap((trustable) => {
    const { root, key, file } = trustable;
    const { guards = [] } = records.get(root)?.files.get(key) ?? {};
    return guards.length > 0 && stateOf(trustable, records) === "changed" ? [{ root, file }] : [];
  });
}

/**
 * The hooks, packs, permissions and sandboxes that were trusted and are in no file of their project any more, whether the
 * file is gone or has changed: without them an agent may do more than was agreed.
 */
export function goneGuards(
  { all, root: nearest }: Trustables,
  records: TrustRecords,
): readonly { readonly root: string; readonly name: string; readonly file: string }[] {
  return [...records].flatMap(([root, { files }]) => {
    const there = [...all.values()].flatMap((file) => (file.root === root ? file.guards : []));
    return [...files].flatMap(([key, { guards, gone }]) => {
      if (gone === true && !all.has(idOf(key, root, nearest))) return [];
      const missing = guards.filter(
        (name) => !there.some((one) => one === name || withoutKind(one) === name),
      );
      return missing.map((name) => ({ root, name, file: join(root, key) }));
    });
  });
}

/** As it was recorded before kinds were. */
function withoutKind(guard: string): string {
  return guard.replace(/^\w+ /, "");
}
