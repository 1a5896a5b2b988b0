import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { JsonlBackend } from "../../../../src/agent/transcripts/jsonl/jsonl-store.ts";
import { systemFiles } from "../../../../src/agent/transcripts/jsonl/session-writer.ts";
import { sqliteStore } from "../../../../src/agent/transcripts/sqlite/sqlite-store.ts";
import { Store } from "../../../../src/agent/transcripts/store.ts";
import type { TranscriptStore } from "../../../../src/core/contracts/transcript.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { STORES, type StoreKind } from "./places.ts";

/** A store whose disk is soon full, and a function that makes room and opens it anew. */
export interface SmallDisk {
  readonly store: TranscriptStore;
  readonly withRoom: () => TranscriptStore;
}

const DISK_BYTES = 800_000;
const FILLER_BYTES = 400_000;

/** A disk that is really small, where this user may mount one; otherwise one that says it was. */
export function smallDisk(kind: Exclude<StoreKind, "memory">): SmallDisk {
  const folder = temporaryFolder();
  const disk = join(folder, "disk");
  mkdirSync(disk);
  if (!mounted(disk)) return pretended[kind](folder);
  const filler = join(disk, "filler");
  writeFileSync(filler, Buffer.alloc(FILLER_BYTES));
  return {
    store: STORES[kind](disk),
    withRoom() {
      rmSync(filler);
      return STORES[kind](disk);
    },
  };
}

function mounted(disk: string): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_BYTES}`, "tmpfs", disk], { stdio: "ignore" });
  } catch {
    return false;
  }
  onTestFinished(() => {
    execFileSync("umount", ["-l", disk]);
  });
  return true;
}

const pretended: Readonly<Record<Exclude<StoreKind, "memory">, (folder: string) => SmallDisk>> = {
  jsonl(folder) {
    let room = DISK_BYTES - FILLER_BYTES;
    const write = (open: number, bytes: Uint8Array): number => {
      if (room === 0)
        throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      const written = systemFiles.write(open, bytes.subarray(0, room));
      room -= written;
      return written;
    };
    return {
      store: new Store(new JsonlBackend({ dir: folder }, { ...systemFiles, write })),
      withRoom: () => STORES.jsonl(folder),
    };
  },
  sqlite: (folder) => ({
    store: sqliteStore({ file: join(folder, "transcripts.db"), maxBytes: DISK_BYTES - FILLER_BYTES }),
    withRoom: () => STORES.sqlite(folder),
  }),
};
