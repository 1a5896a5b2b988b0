import { join, resolve } from "node:path";
import { withoutUndefined } from "../../../core/base/json.ts";
import type {
  ActivityStep,
  ReadTranscriptOptions,
  StoredMessage,
  TranscriptChanges,
  TranscriptMetadata,
  TranscriptOwner,
  TranscriptStore,
} from "../../../core/contracts/transcript.ts";
import { createAtomically } from "../../../node/files/atomic-write.ts";
import { makePrivateFolder } from "../../../node/files/folders.ts";
import { stateFolder } from "../../../node/user-folders.ts";
import type { Backend, ListQuery, LoadedTranscript } from "../backend.ts";
import { listed } from "../listing.ts";
import type { ClaimChange, StoredClaim } from "../records.ts";
import { Store, type StoreOptions } from "../store.ts";
import { addChange, addClaim, lastClaimIn, removeClaims } from "./claim-file.ts";
import { beginLine, jsonLine } from "./lines.ts";
import { readActivity, readTranscript } from "./read-session.ts";
import { agentsIn, fileOfAgent, sessionFile } from "./session-files.ts";
import { SessionWriter, systemFiles, type WriteFiles } from "./session-writer.ts";

/** Writers remember the ids of a session's messages and may have its file open. */
const MOST_IDLE_WRITERS = 64;

/** Where the files of transcripts are, and how durable they are. */
export interface JsonlStoreOptions extends StoreOptions {
  /** Default `$XDG_STATE_HOME/tenterhook/transcripts`. */
  readonly dir?: string;
  /**
   * What a message survives once `append` has resolved. `power`: also a power cut, by one sync of the disk for all messages
   * that wait at that moment. `process`: any death of this process, but not of the machine. Default `power`.
   */
  readonly durability?: "power" | "process";
}

/** A store of one append-only file of JSON lines for each session, which several processes can share. */
export function jsonlStore(options: JsonlStoreOptions = {}): TranscriptStore {
  return new Store(new JsonlBackend(options), options);
}

/** Stores transcripts in files, with ports for tests. */
export class JsonlBackend implements Backend {
  readonly place: string;
  private readonly folder: string;
  private readonly durable: boolean;
  private readonly files: WriteFiles;
  /** By file, the one used last at the end. */
  private readonly writers = new Map<string, SessionWriter>();

  constructor(options: JsonlStoreOptions, files: WriteFiles = systemFiles) {
    const { dir = join(stateFolder(), "transcripts"), durability = "power" } = options;
    // The process may change its folder.
    this.place = resolve(dir);
    this.folder = join(this.place, "sessions");
    this.durable = durability === "power";
    this.files = files;
  }

  append(id: string, json: string, owner: TranscriptOwner, time: string): Promise<void> {
    return this.writerFor(owner).write({ kind: "message", id, json, owner, time }, this.durable);
  }

  record(json: string, owner: TranscriptOwner, time: string): Promise<void> {
    return this.writerFor(owner).write({ kind: "item", json, owner, time }, false);
  }

  save(changes: TranscriptChanges, owner: TranscriptOwner, time: string): Promise<void> {
    return this.writerFor(owner).write({ kind: "save", changes, owner, time }, this.durable);
  }

  async load(agent_id: string, read: ReadTranscriptOptions): Promise<LoadedTranscript | undefined> {
    return this.inFileOf(agent_id, read, async (file) => {
      const claim = lastClaimIn(file, agent_id);
      const transcript = await readTranscript(file, agent_id, read);
      return transcript && { ...transcript, claim };
    });
  }

  async activity(agent_id: string, read: ReadTranscriptOptions): Promise<readonly ActivityStep[]> {
    const steps = await this.inFileOf(agent_id, read, async (file) => {
      const found = await readActivity(file, agent_id, read);
      return found.length === 0 ? undefined : found;
    });
    return steps ?? [];
  }

  async list(query: ListQuery): Promise<readonly TranscriptMetadata[]> {
    const all: TranscriptMetadata[] = [];
    for await (const { agents } of agentsIn(this.folder, query.session_id, query.signal)) all.push(...agents);
    return listed(all, query);
  }

  async delete(agent_id: string): Promise<boolean> {
    const file = await fileOfAgent(this.folder, agent_id);
    if (file === undefined) return false;
    const writer = this.writerOf(file);
    await writer.write({ kind: "deletion", agent_id }, this.durable);
    if (writer.removeIfEmpty()) removeClaims(file);
    return true;
  }

  async create(metadata: TranscriptMetadata, messages: readonly StoredMessage[]): Promise<boolean> {
    const { agent_id, session_id } = metadata;
    if ((await fileOfAgent(this.folder, agent_id)) !== undefined) return false;
    const lines = messages.map((message, at) =>
      jsonLine(agent_id, at + 2, "message", JSON.stringify(message)),
    );
    makePrivateFolder(this.folder);
    const text = `${[beginLine(metadata, 1), ...lines].join("\n")}\n`;
    return createAtomically(sessionFile(this.folder, session_id), text);
  }

  async lastClaim(agent_id: string, session_id?: string): Promise<StoredClaim | undefined> {
    return this.inFileOf(agent_id, withoutUndefined({ session_id }), async (file) =>
      lastClaimIn(file, agent_id),
    );
  }

  async putClaim(claim: StoredClaim, owner: TranscriptOwner, before: string | undefined): Promise<boolean> {
    const { file } = this.writerFor(owner);
    // The folder may have been deleted since the store was opened.
    makePrivateFolder(this.folder);
    return addClaim(file, claim, before);
  }

  async changeClaim(id: string, change: ClaimChange, owner: TranscriptOwner): Promise<boolean> {
    return addChange(sessionFile(this.folder, owner.session_id), owner.agent_id, id, change);
  }

  location({ session_id }: TranscriptOwner): string {
    return sessionFile(this.folder, session_id);
  }

  async close(): Promise<void> {
    await Promise.all([...this.writers.values()].map((writer) => writer.settled()));
  }

  private writerFor({ session_id }: TranscriptOwner): SessionWriter {
    return this.writerOf(sessionFile(this.folder, session_id));
  }

  private writerOf(file: string): SessionWriter {
    const { writers } = this;
    const writer = writers.get(file) ?? new SessionWriter(file, this.files);
    writers.delete(file);
    writers.set(file, writer);
    for (const [name, other] of writers) {
      if (writers.size <= MOST_IDLE_WRITERS) break;
      if (other.busy || name === file) continue;
      writers.delete(name);
      other.closeFile();
    }
    return writer;
  }

  /** What is found in the session that the agent is known or likely to be in, and otherwise in the one that has it. */
  private async inFileOf<Found>(
    agent_id: string,
    { session_id, signal }: ReadTranscriptOptions,
    find: (file: string) => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    const found = await find(sessionFile(this.folder, session_id ?? agent_id));
    if (found !== undefined || session_id !== undefined) return found;
    const file = await fileOfAgent(this.folder, agent_id, signal);
    return file === undefined ? undefined : find(file);
  }
}
