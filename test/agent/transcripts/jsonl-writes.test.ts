import { expect, it } from "vitest";
import { systemFiles, type WriteFiles } from "../../../src/agent/transcripts/jsonl/session-writer.ts";
import { ids, textMessage } from "./support/messages.ts";
import { OWNER, opened } from "./support/opened-jsonl.ts";
import { rejected } from "./support/rejected.ts";

it("what is written only in parts is there whole, once", async () => {
  let parts = 0;
  const write = (open: number, bytes: Uint8Array): number => {
    parts += 1;
    return systemFiles.write(open, parts % 2 === 1 ? bytes.subarray(0, Math.ceil(bytes.length / 2)) : bytes);
  };
  const { store, idsIn } = opened(undefined, { ...systemFiles, write });
  await Promise.all(ids(10).map((id) => store.append(textMessage(id), OWNER)));
  expect(await idsIn()).toEqual(ids(10));
});

it("a message is not durable before the disk says so, and those that wait share one sync", async () => {
  const steps: string[] = [];
  const files: WriteFiles = {
    write(open, bytes) {
      steps.push("write");
      return systemFiles.write(open, bytes);
    },
    async sync(open) {
      await systemFiles.sync(open);
      steps.push("sync");
    },
  };
  const { store } = opened(undefined, files);
  const first = ids(3, "first").map((id) => store.append(textMessage(id), OWNER));
  await Promise.all([...first, store.record({ type: "item" }, OWNER)]);
  steps.push("resolved");
  await store.record({ type: "item" }, OWNER);
  expect(steps).toEqual(["write", "sync", "resolved", "write"]);
});

it("a sync that fails is a failure of all that waited, and appending again is safe", async () => {
  let failures = 1;
  const sync = async (open: number): Promise<void> => {
    failures -= 1;
    if (failures === 0) throw new Error("EIO: i/o error, fdatasync");
    await systemFiles.sync(open);
  };
  const { dir, store, idsIn } = opened(undefined, { ...systemFiles, sync });
  const attempts = ids(2).map((id) => rejected(store.append(textMessage(id), OWNER)));
  const failure = ["store_failed", `Storing a message failed in ${dir}: EIO: i/o error, fdatasync`];
  expect(await Promise.all(attempts)).toEqual([failure, failure]);
  for (const id of ids(2)) await store.append(textMessage(id), OWNER);
  expect(await idsIn()).toEqual(ids(2));
});
