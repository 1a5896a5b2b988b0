import { createHash } from "node:crypto";
import { type FSWatcher, watch } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { firstBytes } from "../../../node/files/regular-file.ts";

/** Only this much of a memory file is hashed. */
const MOST_BYTES = 10_000_000;

interface Known {
  readonly hash: string | undefined;
  readonly size: number;
}

interface MemoryChange {
  readonly file_path: string;
  readonly update_type: "created" | "modified" | "deleted";
  readonly content_size?: number;
  readonly previous_hash?: string;
  readonly new_hash?: string;
}

/**
 * Watches the memory files of a workspace. Where the file system cannot notify, asking for changes is enough. Each
 * change is reported once.
 */
export class MemoryFiles {
  readonly paths: readonly string[];
  private readonly known = new Map<string, Known>();
  private readonly watchers: FSWatcher[] = [];
  started = false;
  private stopped = false;
  private looking: Promise<unknown> = Promise.resolve();

  constructor(cwd: string, files: readonly string[]) {
    this.paths = files.map((file) => resolve(cwd, file));
  }

  /** Starts watching, without keeping the process alive. */
  async start(changed: () => void): Promise<void> {
    this.started = true;
    for (const path of this.paths) this.known.set(path, await lookAt(path));
    if (this.stopped) return;
    const names = new Set(this.paths.map((path) => basename(path)));
    for (const folder of new Set(this.paths.map((path) => dirname(path)))) {
      try {
        const watcher = watch(folder, { persistent: false }, (_, name) => {
          if (name === null || names.has(name)) changed();
        });
        watcher.on("error", () => watcher.close());
        this.watchers.push(watcher);
      } catch {
        // Too many watches, or no such folder: changes are found at the end of the turn.
      }
    }
  }

  /** The changes since the last call. Parallel callers never get the same change. */
  changes(): Promise<readonly MemoryChange[]> {
    const next = this.looking.then(() => this.look());
    this.looking = next.catch(() => {});
    return next;
  }

  /** The last known hash; `undefined` when there was no file. */
  hashOf(path: string): string | undefined {
    return this.known.get(path)?.hash;
  }

  /** Stops watching for good, even while it is being started. */
  stop(): void {
    this.stopped = true;
    for (const watcher of this.watchers.splice(0)) watcher.close();
  }

  private async look(): Promise<readonly MemoryChange[]> {
    const changes: MemoryChange[] = [];
    for (const [file_path, before] of this.known) {
      const now = await lookAt(file_path);
      if (now.hash === before.hash) continue;
      this.known.set(file_path, now);
      changes.push({
        file_path,
        update_type: before.hash === undefined ? "created" : now.hash === undefined ? "deleted" : "modified",
        content_size: now.size,
        previous_hash: before.hash,
        new_hash: now.hash,
      });
    }
    return changes;
  }
}

async function lookAt(path: string): Promise<Known> {
  try {
    const { bytes, size } = firstBytes(path, MOST_BYTES);
    return { hash: createHash("sha256").update(bytes).digest("hex"), size };
  } catch {
    return { hash: undefined, size: 0 };
  }
}
