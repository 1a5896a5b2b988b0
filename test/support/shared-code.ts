import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

/**
 * Lets the programs that use this cache share what they compile with all others of the run. Compiling takes half of the
 * first start of a program.
 */
export function shareCompiledCode(cache: string): void {
  const shared: string | undefined = inject("sharedFolder");
  // The tests on the real programs of agents have no such folder.
  if (shared === undefined) return;
  const folder = join(cache, "tenterhook");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  symlinkSync(join(shared, "code"), join(folder, "code"));
}
