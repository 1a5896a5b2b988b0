import { readFileSync, truncateSync } from "node:fs";
import { expect, it } from "vitest";
import { JsonlBackend, jsonlStore } from "../../src/stores/transcripts/jsonl/jsonl-store.ts";
import { systemFiles, type WriteFiles } from "../../src/stores/transcripts/jsonl/session-writer.ts";
import { Store } from "../../src/stores/transcripts/store.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { textMessage } from "./support/messages.ts";
import { rejected } from "./support/rejected.ts";

const ROOT = { session_id: "s1", agent_id: "s1" };
const child = (agent_id: string) => ({ session_id: "s1", agent_id, parent_agent_id: "s1" });

it("an index that knows of more than a power cut has left is not believed, also when the file has grown again", async () => {
  const dir = temporaryFolder();
  const before = jsonlStore({ dir });
  await before.append(textMessage("a"), ROOT);
  const file = before.location(ROOT) ?? "";
  const { length } = readFileSync(file);
  await before.append(textMessage("b"), child("lost"));
  await before.save({ status: "complete" }, ROOT);
  await before.close();
  truncateSync(file, length);
  const after = jsonlStore({ dir });
  await after.append(textMessage("c"), child("first"));
  for (const id of ["d", "e", "f", "g"]) await after.append(textMessage(id), child("second"));
  const { transcripts } = await jsonlStore({ dir }).list();
  expect(transcripts.map(({ agent_id, status }) => `${agent_id} ${status}`).sort()).toEqual([
    "first running",
    "s1 running",
    "second running",
  ]);
  await after.close();
});

it("a message is written again after a sync that failed: the system may have dropped it, and calls the next one a success", async () => {
  const dir = temporaryFolder();
  let failing = true;
  const sync: WriteFiles["sync"] = async (open) => {
    await systemFiles.sync(open);
    if (failing) throw new Error("EIO: i/o error, fdatasync");
  };
  const store = new Store(new JsonlBackend({ dir }, { ...systemFiles, sync }), { environment: {} });
  const both = ["a", "b"].map((id) => rejected(store.append(textMessage(id), ROOT)));
  const failure = ["store_failed", `Storing a message failed in ${dir}: EIO: i/o error, fdatasync`];
  expect(await Promise.all(both)).toEqual([failure, failure]);
  const file = store.location(ROOT) ?? "";
  const { length } = readFileSync(file);
  failing = false;
  for (const id of ["a", "b", "c"]) await store.append(textMessage(id), ROOT);
  await store.close();
  const synced = readFileSync(file, "utf8").slice(length);
  expect(synced.match(/"id":"\w"/g)).toEqual(['"id":"a"', '"id":"b"', '"id":"c"']);
  const loaded = await jsonlStore({ dir }).load("s1");
  expect(loaded?.messages.map(({ id }) => id)).toEqual(["a", "b", "c"]);
});
