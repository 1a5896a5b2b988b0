import { format } from "node:util";
import { vi } from "vitest";

/** What a program of examples/ prints, which runs in the test's process on the sources. */
export async function printed(program: string): Promise<string> {
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((...values: readonly unknown[]) => {
    lines.push(`${format(...values)}\n`);
  });
  await import(new URL(`../../../examples/${program}`, import.meta.url).href);
  return lines.join("");
}
