import { readFileSync, truncateSync } from "node:fs";
import { expect, it } from "vitest";
import { jsonlStore } from "../../../src/agent/transcripts/jsonl/jsonl-store.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { textMessage } from "./support/messages.ts";

const ROOT = { session_id: "s1", agent_id: "s1" };
const child = (agent_id: string) => ({ session_id: "s1", agent_id, parent_agent_id: "s1" });

it("what a power cut took is not listed any more, also when the file has grown again", async () => {
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
