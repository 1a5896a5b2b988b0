import { firstCharacters } from "../../core/base/text.ts";
import type { Claim, Claims } from "./claims.ts";
import type { TrustRecord } from "./store.ts";

/** Where a thing stands: never trusted, trusted as it was before, or trusted exactly as it is. */
export type TrustState = "new" | "changed" | "trusted";

/** What is trusted, by the root of the project. */
export type TrustRecords = ReadonlyMap<string, TrustRecord>;

/** Where a claim stands. */
export function stateOf(claim: Claim, records: TrustRecords): TrustState {
  const granted = records.get(claim.root)?.items.get(claim.key);
  if (granted === undefined) return "new";
  return granted.hash === claim.hash && claim.problem === undefined ? "trusted" : "changed";
}

/** Says why something that stands on these claims must not take effect; `undefined` when it may. */
export type WhyNot = (ids: readonly string[]) => string | undefined;

/** Judges claims by what is stored. */
export function whyNot({ all }: Claims, records: TrustRecords): WhyNot {
  return (ids) => {
    const reasons: string[] = [];
    for (const [index, id] of ids.entries()) {
      const claim = all.get(id);
      if (claim === undefined) return `${id} is not known`;
      const state = stateOf(claim, records);
      if (state === "trusted") continue;
      const isItself = index === 0 && claim.kind !== "file";
      // Of something that was never trusted, its files go without saying, and are not read.
      if (isItself && state === "new") return `it ${SAID.new}`;
      reasons.push(`${isItself ? "it" : lineOf(claim.name)} ${claim.problem ?? SAID[state]}`);
    }
    return reasons.length === 0 ? undefined : reasons.join("; ");
  };
}

const SAID: Readonly<Record<Exclude<TrustState, "trusted">, string>> = {
  new: "is not trusted yet",
  changed: "has changed since it was trusted",
};

/** A name as a part of one line: what is said here reaches models, and a path can hold anything. */
function lineOf(name: string): string {
  return firstCharacters(name.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " "), MOST_CHARACTERS);
}

const MOST_CHARACTERS = 200;

/** What to do about something that is not trusted. */
export const WAY_OUT = "Look at what it does and trust it with: tenterhook trust";
