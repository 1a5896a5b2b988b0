import { join } from "node:path";
import { Agent, scriptedModel } from "tenterhook/agent";
import { jsonlStore, memoryStore, sqliteStore, type TranscriptStore } from "tenterhook/stores";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const stores: Readonly<Record<string, (folder: string) => TranscriptStore>> = {
  memory: () => memoryStore(),
  jsonl: (folder) => jsonlStore({ dir: folder }),
  sqlite: (folder) => sqliteStore({ file: join(folder, "transcripts.db") }),
};

it.each(Object.keys(stores))("an agent keeps its conversation in a %s store", async (kind) => {
  const folder = temporaryFolder();
  const store = stores[kind]?.(folder) ?? memoryStore();
  onTestFinished(() => store.close());
  const agent = new Agent({
    model: scriptedModel([{ text: "It is done." }]),
    store,
    session: { session_id: "s1" },
    cwd: folder,
  });
  const { text, stop_reason } = await agent.run("Do it.");
  await agent.close();
  const transcript = await store.load("s1");
  expect([text, stop_reason, transcript?.messages]).toEqual(["It is done.", "complete", agent.transcript()]);
  expect(transcript?.metadata).toMatchObject({ session_id: "s1", agent_type: "main", cwd: folder });
});
