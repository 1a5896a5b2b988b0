import { Inputs } from "../inputs.ts";
import type { LoadOptions } from "../load.ts";
import { type Claim, type ClaimKind, claimsOf } from "./claims.ts";
import { shownFile, shownValue } from "./shown.ts";
import { readTrust, type TrustRecord } from "./store.ts";
import { stateOf, type TrustState } from "./verdict.ts";

/** Something of a project that takes effect only when this user trusts it. */
export interface TrustItem {
  /** Stays the same while the thing keeps its name and place. */
  readonly id: string;
  /** A hook, a key of a file, an item of `use`, a file that is run or used, a program of `.agent/hook.toml`. */
  readonly kind: ClaimKind;
  /** The hook's name, the key, or the path from the project's root. */
  readonly name: string;
  readonly file: string;
  readonly line?: number;
  /** `removed`: it was trusted and is there no more. */
  readonly state: TrustState | "removed";
  /** What it says or does, whole, but for the end of a very long file; of something removed, what it said. */
  readonly text: string;
  /** What it said when it was trusted, when that has changed; absent too where it was too long to be kept. */
  readonly before?: string;
  /** Why it can't be trusted as it is: too large, unreadable, no plain file. */
  readonly problem?: string;
  /** The files it runs, by the ids of their items. */
  readonly needs: readonly string[];
  /** What is stored when it is trusted. */
  readonly hash: string;
}

/** What would take effect in a project, and where it stands. */
export interface TrustReview {
  /** The real path of the project. */
  readonly root: string;
  /** `nothing`: the project has nothing that needs trust. */
  readonly state: "trusted" | "untrusted" | "nothing";
  readonly items: readonly TrustItem[];
  /** Why what was trusted before can't be read. */
  readonly problem?: string;
}

/**
 * Shows what of a project would take effect: every hook, key and file, each new, changed, trusted or removed. Nothing is
 * run and nothing is stored.
 *
 * @throws ConfigError when the files can't be read.
 */
export async function reviewTrust(options: LoadOptions): Promise<TrustReview> {
  const { readConfig } = await import("../read-config.ts");
  const inputs = new Inputs();
  const claims = claimsOf(await readConfig(options, inputs, options.signal), inputs);
  const record = readTrust(claims.root, options.environment);
  const items = [...claims.all.values()].map((claim) => itemOf(claim, record));
  const removed = [...record.items]
    .filter(([id]) => !claims.all.has(id))
    .map(([id, { text = "", hash }]) => removedItem(id, text, hash, claims.root));
  const done = items.every(({ state }) => state === "trusted");
  return {
    root: claims.root,
    state: items.length === 0 ? "nothing" : done ? "trusted" : "untrusted",
    items: [...items, ...removed],
    ...(record.problem === undefined ? {} : { problem: record.problem }),
  };
}

function itemOf(claim: Claim, record: TrustRecord): TrustItem {
  const { id, kind, name, file, line, hash, problem, needs } = claim;
  const state = stateOf(claim, record);
  const before = state === "changed" ? record.items.get(id)?.text : undefined;
  return {
    id,
    kind,
    name,
    file,
    ...(line === undefined ? {} : { line }),
    state,
    text: kind === "file" ? shownFile(file) : shownValue(claim.value),
    ...(before === undefined ? {} : { before }),
    ...(problem === undefined ? {} : { problem }),
    needs,
    hash,
  };
}

const KINDS: Readonly<Record<string, ClaimKind>> = {
  definition: "definition",
  key: "key",
  use: "use",
  file: "file",
  agent: "agent_hook",
};

function removedItem(id: string, text: string, hash: string, root: string): TrustItem {
  const [kind = "", ...rest] = id.split(" ");
  return {
    id,
    kind: KINDS[kind] ?? "key",
    name: rest.slice(kind === "file" ? 0 : 1).join(" "),
    file: root,
    state: "removed",
    text,
    needs: [],
    hash,
  };
}
