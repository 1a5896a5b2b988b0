import { beforeAll } from "vitest";
import type { AtEnd } from "./temporary-folder.ts";

/** Makes something once for all tests of a file or a `describe`, and closes it after the last one. */
export function shared<Value>(make: (atEnd: AtEnd) => Promise<Value>, milliseconds = 120_000): () => Value {
  let made: { readonly value: Value } | undefined;
  beforeAll(async () => {
    const ends: Parameters<AtEnd>[0][] = [];
    const close = async (): Promise<void> => {
      const failures: unknown[] = [];
      for (const end of ends.reverse()) {
        try {
          await end();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    };
    try {
      made = { value: await make((end) => void ends.push(end)) };
    } catch (error) {
      await close();
      throw error;
    }
    return close;
  }, milliseconds);
  return () => {
    if (made === undefined) throw new Error("What the tests share is made before the first one.");
    return made.value;
  };
}
