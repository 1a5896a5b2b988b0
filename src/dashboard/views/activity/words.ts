import { href } from "../../net/route.ts";

/** The words of an address that choose a list of calls. */
const OF_LIST = ["list", "verdict", "agent", "hook", "rule", "said"] as const;

/** An address of the same view with another list of calls; without words, with none. */
export function listAddress(words: URLSearchParams, list: Readonly<Record<string, string>>): string {
  const next = new URLSearchParams(words);
  for (const key of OF_LIST) next.delete(key);
  for (const [key, value] of Object.entries(list)) next.set(key, value);
  return href(`/activity?${next}`);
}

export function hasList(words: URLSearchParams): boolean {
  return OF_LIST.some((word) => words.has(word));
}
