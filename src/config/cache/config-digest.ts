import { canonicalJson, sha256 } from "../inputs/digest.ts";
import type { EventConfig } from "./event-config.ts";

/** What of a configuration makes a difference to a decision, as values that JSON can hold. */
export function decidingParts({ hooks, sites: _, isSame: __, ...rest }: EventConfig): readonly unknown[] {
  return [hooks.map(({ hook, rules }) => [hook, rules?.lines()]), rest];
}

const known = new WeakMap<EventConfig, string>();

export function configDigest(config: EventConfig): string {
  const digest = known.get(config) ?? sha256(canonicalJson(decidingParts(config)));
  known.set(config, digest);
  return digest;
}
