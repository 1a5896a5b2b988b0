import { beforeAll } from "vitest";
import type { AtEnd } from "./temporary-folder.ts";

/** Makes something once for all tests of a group, which change nothing of it, and ends it after them. */
export function madeOnce<Made>(make: (atEnd: AtEnd) => Made | Promise<Made>): () => Made {
  let made: { readonly one: Made } | undefined;
  beforeAll(async () => {
    const ends: Parameters<AtEnd>[0][] = [];
    made = { one: await make((end) => void ends.push(end)) };
    return async () => {
      for (const end of ends.reverse()) await end();
    };
  });
  return () => {
    if (made === undefined) throw new Error("It is made before the first test of its group.");
    return made.one;
  };
}
