import { realpathSync, statSync } from "node:fs";
import { relative } from "node:path";
import { withoutUndefined } from "../../core/base/json.ts";
import { readBytes, withRegularFile } from "../../node/files/regular-file.ts";
import { systemCode } from "../../node/system-code.ts";
import { canonicalJson, sha256 } from "../inputs/digest.ts";
import { Inputs } from "../inputs/inputs.ts";
import type { LoadOptions } from "../load.ts";
import { type GoneFile, goneFiles } from "./gone.ts";
import { readTrust } from "./store.ts";
import type { Trustable } from "./trustable.ts";
import { trustablesOf } from "./trustables.ts";
import { stateOf, type TrustRecords, type TrustState } from "./verdict.ts";

/** A file of a project that takes effect only when this user trusts it. */
export interface TrustItem extends Omit<Trustable, "unknown" | "absent" | "problem"> {
  /** `removed`: it was trusted and no longer exists. */
  readonly state: TrustState | "removed";
  /** Its whole content, except for the end of a very long file; for a removed item, its old content. */
  readonly text: string;
  /** Its content when it was trusted, if it has changed and was not too long to store. */
  readonly before?: string;
  /** Why it can't be trusted: too large, unreadable, not a plain file. */
  readonly problem?: string;
}

/** What would take effect in the projects around a working folder, and whether it is trusted. */
export interface TrustReview {
  /** The real path of the nearest project; the working folder if there is no project. */
  readonly root: string;
  /** `nothing`: nothing needs trust. */
  readonly state: "trusted" | "untrusted" | "nothing";
  readonly items: readonly TrustItem[];
  /** SHA-256 of all of it: the same wherever the files are the same. */
  readonly digest: string;
  /** Why the stored trust can't be read. */
  readonly problem?: string;
}

/**
 * Shows what of the projects around a working folder would take effect: every file, each new, changed, trusted or removed. Nothing is
 * run and nothing is stored.
 *
 * @throws ConfigError when the files can't be read.
 */
export async function reviewTrust(options: LoadOptions): Promise<TrustReview> {
  const { readConfig } = await import("../read/read-config.ts");
  const inputs = new Inputs();
  const found = await readConfig(options, inputs, options.signal);
  // With the parser of front matter, which nobody else needs to load a configuration.
  const { findOwnedHooks } = await import("../find/owned-hooks.ts");
  const read = { ...found, owned: findOwnedHooks(found.cwd) };
  const trustables = trustablesOf(read, inputs);
  const records = new Map(read.folders.map((root) => [root, readTrust(root, options.environment)] as const));
  const present = [...trustables.all.values()].map((trustable) => itemOf(trustable, records));
  const items = [
    ...present,
    ...goneFiles(trustables, records).map((gone) => removedItem(gone, trustables.root)),
  ];
  const [problem] = [...records.values()].flatMap((record) => record.problem ?? []);
  const done = items.every(({ state }) => state === "trusted");
  return {
    root: trustables.root,
    state: items.length === 0 ? "nothing" : done ? "trusted" : "untrusted",
    items,
    digest: digestOf(items),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Some items of a review, by id. */
export function partOf(review: TrustReview, only: readonly string[] | undefined): TrustReview {
  if (only === undefined) return review;
  const items = review.items.filter(({ id }) => only.includes(id));
  return { ...review, items, digest: digestOf(items) };
}

function digestOf(items: readonly TrustItem[]): string {
  const present = items.filter(({ state }) => state !== "removed");
  return sha256(canonicalJson(present.map(({ id, hash }) => [id, hash])));
}

function itemOf(trustable: Trustable, records: TrustRecords): TrustItem {
  const { id, root, key, kind, name, file, hash, problem, needs, guards } = trustable;
  const state = stateOf(trustable, records);
  const before = state === "changed" ? records.get(root)?.files.get(key)?.text : undefined;
  return {
    id,
    root,
    key,
    kind,
    name,
    file,
    state,
    text: `${warningOf(trustable)}${shownFile(file)}`,
    ...withoutUndefined({ before, problem }),
    needs,
    guards,
    hash,
  };
}

/** The reader must know what can't be shown. */
function warningOf({ unknown }: Trustable): string {
  return unknown.length === 0 ? "" : `(runs files that can't be known: ${unknown.join(", ")})\n`;
}

function removedItem(gone: GoneFile, nearest: string): TrustItem {
  const { id, root, key, file, guards, text = "", hash } = gone;
  const kind = guards.length > 0 ? "configuration" : "program";
  return {
    id,
    root,
    key,
    kind,
    name: relative(nearest, file),
    file,
    state: "removed",
    text,
    needs: [],
    guards,
    hash,
  };
}

/** The most that is shown of a file. */
const MOST_BYTES = 1_000_000;

/** A file, with the target of a link. Never throws. */
function shownFile(file: string): string {
  try {
    const status = statSync(file);
    const real = realpathSync(file);
    const link = real === file ? "" : `(leads to ${real})\n`;
    if (!status.isFile()) return `${link}(not a plain file)`;
    const bytes = withRegularFile(file, Number.POSITIVE_INFINITY, (descriptor, size) =>
      readBytes(descriptor, Math.min(size, MOST_BYTES)),
    );
    if (bytes.includes(0)) return `${link}(not text, ${status.size} bytes)`;
    const missing = status.size - bytes.length;
    const text = bytes.toString("utf8");
    if (missing <= 0) return `${link}${text}`;
    return `${link}${text.replace(/\uFFFD+$/, "")}\n(${missing} more bytes, see the file)`;
  } catch (error) {
    return systemCode(error) === "ENOENT" ? "(not there)" : "(can't be read)";
  }
}
