import { readFileSync } from "node:fs";
import { JsonlBackend, jsonlStore } from "../../../../src/agent/transcripts/jsonl/jsonl-store.ts";
import type { WriteFiles } from "../../../../src/agent/transcripts/jsonl/session-writer.ts";
import { Store } from "../../../../src/agent/transcripts/store.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { START, textMessage } from "./messages.ts";

export const OWNER = { session_id: "s1", agent_id: "s1" };
export const CHILD = { session_id: "s1", agent_id: "child", parent_agent_id: "s1" };
const clock = { now: () => START };

/** A store, the file of its session, and what reads the ids of an agent. */
export function opened(dir = temporaryFolder(), files?: WriteFiles) {
  const store = new Store(new JsonlBackend({ dir }, files), { clock, environment: {} });
  const file = store.location(OWNER) ?? "";
  const idsIn = async (agent_id = "s1") =>
    (await jsonlStore({ dir }).load(agent_id))?.messages.map(({ id }) => id);
  const appendAll = async (all: readonly string[], owner = OWNER) => {
    for (const id of all) await store.append(textMessage(id), owner);
  };
  return { dir, store, file, idsIn, appendAll };
}

export const linesOf = (file: string) => readFileSync(file, "utf8").split("\n");
