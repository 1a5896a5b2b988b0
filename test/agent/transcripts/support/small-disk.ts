import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { onTestFinished } from "vitest";
import { JsonlBackend } from "../../../../src/agent/transcripts/jsonl/jsonl-store.ts";
import { systemFiles } from "../../../../src/agent/transcripts/jsonl/session-writer.ts";
import { sqliteStore } from "../../../../src/agent/transcripts/sqlite/sqlite-store.ts";
import { Store } from "../../../../src/agent/transcripts/store.ts";
import type { TranscriptStore } from "../../../../src/core/contracts/transcript.ts";
import { databaseFor } from "../../../support/postgres-databases.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { STORES, type StoreKind } from "./places.ts";

/** A store whose disk is soon full, and a function that makes room and opens it anew. */
export interface SmallDisk {
  readonly store: TranscriptStore;
  readonly withRoom: () => Promise<TranscriptStore>;
}

const DISK_BYTES = 800_000;
const FILLER_BYTES = 400_000;

/** A disk that is really small, where this user may mount one; otherwise one that says it was. */
export async function smallDisk(kind: Exclude<StoreKind, "memory">): Promise<SmallDisk> {
  const folder = temporaryFolder();
  if (kind === "postgres") return fullServer(folder);
  const disk = join(folder, "disk");
  mkdirSync(disk);
  if (!mounted(disk)) return pretended[kind](folder);
  const filler = join(disk, "filler");
  writeFileSync(filler, Buffer.alloc(FILLER_BYTES));
  return {
    store: STORES[kind](disk),
    async withRoom() {
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

/** A server that says what PostgreSQL says when its disk is full. */
async function fullServer(folder: string): Promise<SmallDisk> {
  const store = STORES.postgres(folder);
  await store.load("creates the tables");
  const change = async (sql: string): Promise<void> => {
    const client = new Client({ connectionString: databaseFor(folder) });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await change(`
    CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT sum(length(json)) FROM tenterhook.transcript_entries) > ${DISK_BYTES - FILLER_BYTES} THEN
        RAISE EXCEPTION 'could not extend file "base/1": No space left on device' USING ERRCODE = '53100';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER no_room BEFORE INSERT ON tenterhook.transcript_entries FOR EACH ROW EXECUTE FUNCTION no_room()`);
  return {
    store,
    async withRoom() {
      await change("DROP TRIGGER no_room ON tenterhook.transcript_entries");
      return STORES.postgres(folder);
    },
  };
}

const pretended: Readonly<Record<Exclude<StoreKind, "memory" | "postgres">, (folder: string) => SmallDisk>> =
  {
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
        withRoom: async () => STORES.jsonl(folder),
      };
    },
    sqlite: (folder) => ({
      store: sqliteStore({ file: join(folder, "transcripts.db"), maxBytes: DISK_BYTES - FILLER_BYTES }),
      withRoom: async () => STORES.sqlite(folder),
    }),
  };
