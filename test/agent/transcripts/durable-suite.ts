import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as after } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { TranscriptStore } from "../../../src/core/contracts/transcript.ts";
import { bundledProgram } from "../../support/bundled-program.ts";
import { kill } from "../../support/faults/kill.ts";
import { runs } from "../../support/long.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { ids, textMessage } from "./support/messages.ts";
import { STORES, type StoreKind } from "./support/places.ts";
import { smallDisk } from "./support/small-disk.ts";

const OWNER = { session_id: "shared", agent_id: "agent" };

/** What stores do alike that outlive their process. */
export function describeDurable(kind: Exclude<StoreKind, "memory">): void {
  const program = bundledProgram(new URL("support/appender.ts", import.meta.url));

  function start(...args: readonly (string | number)[]) {
    const child = spawn(process.execPath, [program, kind, ...args.map(String)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const reported: string[] = [];
    const lines = createInterface({ input: child.stdout });
    lines.on("line", (line) => reported.push(line));
    return { child, reported, ended: Promise.all([once(child, "exit"), once(lines, "close")]) };
  }
  const open = (folder: string): TranscriptStore => STORES[kind](folder);
  const idsIn = async (store: TranscriptStore, agent_id = "agent") =>
    (await store.load(agent_id))?.messages.map(({ id }) => id) ?? [];

  describe(`the ${kind} store on disk`, () => {
    it("loses, repeats and reorders nothing when processes write at once", async () => {
      const folder = temporaryFolder();
      const count = runs(60);
      const writers = ["a", "b", "c"];
      const here = open(folder);
      const children = writers.map((prefix) => start(folder, "agent", prefix, count, 300, 2));
      const own = (async () => {
        for (const id of ids(count, "own")) await here.append(textMessage(id), OWNER);
      })();
      const ends = await Promise.all([...children.map(({ ended }) => ended), own]);
      const found = await idsIn(here);
      expect(ends.slice(0, 3).map((end) => end?.[0]?.[0])).toEqual([0, 0, 0]);
      expect([...found].sort()).toEqual(
        [...writers, "own", "shared"].flatMap((prefix) => ids(count, prefix)).sort(),
      );
      expect(found.filter((id) => id.startsWith("own-"))).toEqual(ids(count, "own"));
      for (const [number, { reported }] of children.entries())
        expect(found.filter((id) => id.startsWith(`${writers[number]}-`)).sort()).toEqual(reported.sort());
      await here.close();
    }, 120_000);

    it("has every message exactly once that was durable before a kill", async () => {
      for (let round = 0; round < runs(5); round += 1) {
        const folder = temporaryFolder();
        const { child, reported, ended } = start(folder, "agent", "m", 1_000_000, (round % 4) * 20_000, 3);
        await once(child.stdout, "data");
        await after(Math.random() * 60);
        kill(child);
        await ended;
        const store = open(folder);
        const found = await idsIn(store);
        expect([found.length, found.filter((id) => reported.includes(id)).sort()]).toEqual([
          new Set(found).size,
          [...reported].sort(),
        ]);
        await store.append(textMessage("after"), OWNER);
        expect(await idsIn(store)).toEqual([...found, "after"]);
        expect((await store.list()).transcripts.map(({ agent_id }) => agent_id)).toEqual(["agent"]);
        await store.close();
      }
    }, 300_000);

    it("says so when the disk is full, keeps what it had, and goes on when there is room", async () => {
      const { store, withRoom } = await smallDisk(kind);
      const stored: string[] = [];
      const message = (id: string) => ({ id, text: "x".repeat(9000) });
      let failure: unknown;
      for (const id of ids(200)) {
        failure = await store.append(message(id), OWNER).catch((error: unknown) => error);
        if (failure !== undefined) break;
        stored.push(id);
      }
      expect(failure).toMatchObject({ code: "store_failed", message: expect.stringMatching(/ENOSPC|full/) });
      expect(stored.length).toBeGreaterThan(5);
      await store.close();
      const roomy = await withRoom();
      expect((await idsIn(roomy)).slice(0, stored.length)).toEqual(stored);
      for (const id of [`m-${stored.length}`, "after"]) await roomy.append(message(id), OWNER);
      expect(await idsIn(roomy)).toEqual([...stored, `m-${stored.length}`, "after"]);
      await roomy.close();
    });
  });
}
