import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createHooks, type HookDefinition, type Hooks, type RunEvent } from "tenterhook";
import { systemClock } from "tenterhook/core";
import { afterAll, vi } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A folder for the scripts of a test file, gone when its tests are done. */
export function scriptFolder(): {
  readonly root: string;
  write(name: string, text: string, mode?: number): string;
} {
  const root = temporaryFolder(afterAll);
  return {
    root,
    write: (name, text, mode = 0o644) => {
      const path = join(root, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { mode });
      return path;
    },
  };
}

/** A hook set with one command hook on PreToolUse, and the events of its runs. */
export async function withCommand(
  root: string,
  definition: Partial<HookDefinition>,
): Promise<{ readonly hooks: Hooks; readonly runEvents: RunEvent[]; readonly off: () => void }> {
  const runEvents: RunEvent[] = [];
  const hooks = createHooks();
  hooks.observe({ onRun: (event) => runEvents.push(event) });
  const off = await hooks.add(
    { name: "guard", type: "command", matcher: { events: ["PreToolUse"] }, ...definition },
    { root },
  );
  return { hooks, runEvents, off };
}

/** A timeout that is over when the test says so: a program may take any time to get to where it must not be waited for. */
export function heldTimeout(): { readonly timeout: number; end(): void } {
  const timeout = 600;
  const after = vi.spyOn(systemClock, "after");
  const isHeld = (milliseconds: number) => milliseconds > (timeout - 100) * 1000;
  return {
    timeout,
    end: () => {
      for (const [milliseconds, callback] of after.mock.calls) if (isHeld(milliseconds)) callback();
    },
  };
}
