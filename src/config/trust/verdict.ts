import { firstCharacters } from "../../core/base/text.ts";
import { NOT_TRUSTED } from "../../core/base/untrusted.ts";
import type { TrustRecord } from "./store.ts";
import type { Trustable, Trustables } from "./trustable.ts";

/** Never trusted, changed since it was trusted, or trusted as it is. */
export type TrustState = "new" | "changed" | "trusted";

export type TrustRecords = ReadonlyMap<string, TrustRecord>;

export function stateOf(trustable: Trustable, records: TrustRecords): TrustState {
  const granted = records.get(trustable.root)?.files.get(trustable.key);
  if (granted === undefined) return "new";
  return granted.hash === trustable.hash && trustable.problem === undefined ? "trusted" : "changed";
}

/** Why nothing of a file takes effect that nobody has looked at. */
export const UNTRUSTED_FILE = `it is ${NOT_TRUSTED}`;

/** Why something that depends on these must not take effect; `undefined` when it may. */
export type WhyNot = (ids: readonly string[]) => string | undefined;

export function whyNot({ all }: Trustables, records: TrustRecords): WhyNot {
  return (ids) => {
    const reasons: string[] = [];
    for (const [index, id] of ids.entries()) {
      const trustable = all.get(id);
      if (trustable === undefined) return `${id} is not known`;
      const state = stateOf(trustable, records);
      if (state === "trusted") continue;
      const isItself = index === 0 && trustable.kind === "configuration";
      // Of something that was never trusted, its files go without saying, and are not read.
      if (isItself && state === "new") return UNTRUSTED_FILE;
      const said = state === "changed" && trustable.absent ? "is gone" : SAID[state];
      reasons.push(`${isItself ? "it" : lineOf(trustable.name)} ${trustable.problem ?? said}`);
    }
    return reasons.length === 0 ? undefined : reasons.join("; ");
  };
}

/** The files that were trusted and are gone, when nothing else keeps these from taking effect. */
export function onlyGone(
  { all }: Trustables,
  records: TrustRecords,
  ids: readonly string[],
): readonly string[] {
  const open = ids
    .flatMap((id) => all.get(id) ?? [])
    .map((trustable) => ({ trustable, state: stateOf(trustable, records) }))
    .filter(({ state }) => state !== "trusted");
  const isGone = open.every(({ trustable, state }) => state === "changed" && trustable.absent);
  return isGone ? open.map(({ trustable }) => trustable.name) : [];
}

const SAID: Readonly<Record<Exclude<TrustState, "trusted">, string>> = {
  new: `is ${NOT_TRUSTED}`,
  changed: "has changed since it was trusted",
};

/** A name as one line: models read it, and a path can contain anything. */
function lineOf(name: string): string {
  return firstCharacters(name.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " "), MOST_CHARACTERS);
}

const MOST_CHARACTERS = 200;
