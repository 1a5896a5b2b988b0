import { join } from "node:path";
import type { TranscriptMetadata, TranscriptOwner, TranscriptStore } from "../../../core/transcript.ts";
import { createAtomically } from "../../../node/files/atomic-write.ts";
import { removeLeftBehind } from "../../../node/files/left-behind.ts";
import { makePrivateFolder } from "../../../node/files/private-folder.ts";
import { stateFolder } from "../../../node/state-folder.ts";
import type { Backend } from "../backend.ts";
import { listed } from "../listing.ts";
import { createStore, type StoreOptions } from "../store.ts";
import { addChange, addClaim, lastClaimIn, removeClaims } from "./claim-file.ts";
import { addInput, readInputs } from "./input-file.ts";
import { beginLine, jsonLine } from "./lines.ts";
import { readRollout, readTranscript } from "./read-session.ts";
import { agentsIn, fileOfAgent, sessionFile } from "./session-files.ts";
import { type SessionWriter, systemFiles, type WriteFiles } from "./session-writer.ts";
import { sessionWriters } from "./session-writers.ts";

const MOST_REMEMBERED = 10_000;

/** Where transcripts are kept in files, and how safe they are. */
export interface JsonlStoreOptions extends StoreOptions {
  /** Default `$XDG_STATE_HOME/tenterhook/transcripts`. */
  readonly dir?: string;
  /**
   * What a message survives once `append` has resolved. `power`: also a power cut, by a sync of the disk for all messages
   * that wait at that moment. `process`: the death of this process by whatever signal, but not of the machine. Default
   * `power`.
   */
  readonly durability?: "power" | "process";
}

/** A store of one append-only file of JSON lines for each session, which several processes can share. */
export function jsonlStore(options: JsonlStoreOptions = {}): TranscriptStore {
  return createStore(jsonlBackend(options), options);
}

/** The backend, with ports for tests. */
export function jsonlBackend(options: JsonlStoreOptions, files: WriteFiles = systemFiles): Backend {
  const { dir = join(stateFolder(), "transcripts"), durability = "power" } = options;
  const folder = join(dir, "sessions");
  const durable = durability === "power";
  const writers = sessionWriters(files);
  let made: Promise<void> | undefined;
  /** Mostly one agent writes many times in a row. */
  let last: { readonly owner: TranscriptOwner; readonly writer: SessionWriter } | undefined;
  const writerOf = (file: string) => {
    if (made === undefined) {
      makePrivateFolder(folder);
      made = removeLeftBehind(folder);
    }
    last = undefined;
    return writers.of(file);
  };
  /** Where agents were last written to. */
  const lastSeen = new Map<string, string>();
  const writerFor = (owner: TranscriptOwner): SessionWriter => {
    const { session_id, agent_id } = owner;
    if (last?.owner.session_id === session_id && last.owner.agent_id === agent_id) return last.writer;
    const writer = writerOf(sessionFile(folder, session_id));
    last = { owner, writer };
    if (lastSeen.size >= MOST_REMEMBERED) lastSeen.clear();
    lastSeen.set(agent_id, writer.file);
    return writer;
  };
  const fileOf = (agent_id: string, signal?: AbortSignal): Promise<string | undefined> =>
    // The root agent of a session mostly has its id.
    fileOfAgent(folder, agent_id, [lastSeen.get(agent_id), sessionFile(folder, agent_id)], signal);

  return {
    place: dir,
    append: (id, json, owner, time) =>
      writerFor(owner).write((state) => state.message(id, json, owner, time), durable),
    record: (json, owner, time) => writerFor(owner).write((state) => state.item(json, owner, time), false),
    async save(changes, owner, time) {
      const writer = writerFor(owner);
      await writer.write((state) => state.save(changes, owner, time), durable);
      await writer.index();
    },
    async load(agent_id, read) {
      const file = await fileOf(agent_id, read.signal);
      const own = file ?? sessionFile(folder, agent_id);
      const claim = lastClaimIn(own, agent_id);
      const transcript = await readTranscript(own, agent_id, read);
      return transcript === undefined || claim === undefined ? transcript : { ...transcript, claim };
    },
    async rollout(agent_id, read) {
      const file = await fileOf(agent_id, read.signal);
      return readRollout(file ?? sessionFile(folder, agent_id), agent_id, read);
    },
    async list(query) {
      const all: TranscriptMetadata[] = [];
      for await (const { agents } of agentsIn(folder, query.session_id, query.signal)) all.push(...agents);
      return listed(all, query);
    },
    async delete(agent_id) {
      const file = await fileOf(agent_id);
      if (file === undefined) return false;
      const writer = writerOf(file);
      await writer.write((state) => state.deletion(agent_id), durable);
      await writer.index();
      if (writer.removeIfEmpty()) removeClaims(file);
      return true;
    },
    async create(metadata, messages) {
      const { agent_id, session_id } = metadata;
      if ((await fileOf(agent_id)) !== undefined) return false;
      const lines = messages.map((message) => jsonLine(agent_id, "message", JSON.stringify(message)));
      makePrivateFolder(folder);
      const text = `${[beginLine(metadata), ...lines].join("\n")}\n`;
      return createAtomically(sessionFile(folder, session_id), text);
    },
    async typed(input) {
      addInput(dir, input);
    },
    history: (query) => readInputs(dir, query),
    async lastClaim(agent_id, session_id) {
      const found = session_id === undefined ? await fileOf(agent_id) : undefined;
      return lastClaimIn(found ?? sessionFile(folder, session_id ?? agent_id), agent_id);
    },
    async putClaim(claim, owner, before) {
      return addClaim(writerFor(owner).file, claim, before);
    },
    async changeClaim(id, change, { session_id, agent_id }) {
      return addChange(sessionFile(folder, session_id), agent_id, id, change);
    },
    location: ({ session_id }) => sessionFile(folder, session_id),
    async close() {
      await writers.settled();
      await made;
    },
  };
}
