import { createHash } from "node:crypto";
import { type FSWatcher, watch } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { firstBytes } from "../../node/files/first-bytes.ts";

/** More of a memory file is not looked at. */
const MOST_BYTES = 10_000_000;

/** A memory file as it was when it was last looked at. */
interface Known {
  readonly hash: string | undefined;
  readonly size: number;
}

/** A change of a memory file, as the MemoryUpdate event tells it. */
export interface MemoryChange {
  readonly file_path: string;
  readonly update_type: "created" | "modified" | "deleted";
  readonly content_size?: number;
  readonly previous_hash?: string;
  readonly new_hash?: string;
}

/**
 * Watches the memory files of a workspace. It looks at them when it is asked to, and calls back when the file system
 * tells that one may have changed; where that is not to be had, asking is enough. A change is told once.
 */
export class MemoryFiles {
  readonly paths: readonly string[];
  private readonly known = new Map<string, Known>();
  private readonly watchers: FSWatcher[] = [];
  /** True once the files are watched. */
  started = false;
  private stopped = false;
  private looking: Promise<unknown> = Promise.resolve();

  constructor(cwd: string, files: readonly string[]) {
    this.paths = files.map((file) => resolve(cwd, file));
  }

  /** Remembers how the files are now, and starts to watch. Watching never keeps the process alive. */
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
        // Too many watches, or no such folder: the turn's end looks too.
      }
    }
  }

  /** What has changed since the files were last looked at. Two that ask at once do not hear of the same change. */
  changes(): Promise<readonly MemoryChange[]> {
    const next = this.looking.then(() => this.look());
    this.looking = next.catch(() => {});
    return next;
  }

  /** The hash of a memory file when it was last looked at; `undefined` when there was none. */
  hashOf(path: string): string | undefined {
    return this.known.get(path)?.hash;
  }

  /** Ends the watching, for good; also when it is only just being started. */
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
        ...(before.hash === undefined ? {} : { previous_hash: before.hash }),
        ...(now.hash === undefined ? {} : { new_hash: now.hash }),
      });
    }
    return changes;
  }
}

const NO_FILE: Known = { hash: undefined, size: 0 };

async function lookAt(path: string): Promise<Known> {
  try {
    const { bytes, size } = await firstBytes(path, MOST_BYTES);
    return { hash: createHash("sha256").update(bytes).digest("hex"), size };
  } catch {
    return NO_FILE;
  }
}
