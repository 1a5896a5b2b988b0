import type { TranscriptChanges, TranscriptOwner } from "../../../core/transcript.ts";
import { firstMetadata, withDescendants } from "../metadata.ts";
import { beginLine, deletedLine, jsonLine, readLine, type SessionLine, saveLine } from "./lines.ts";
import { applyLine, type SessionAgents } from "./session-agents.ts";

/** What the writer of a session's file knows of it, and the lines that follow from that. */
export class SessionState {
  readonly agents: SessionAgents = new Map();
  /** Up to which byte it has been read. */
  end = 0;
  /** Of the file it was read from. */
  readonly identity: string;
  private readonly ids = new Map<string, Set<string>>();

  constructor(identity: string) {
    this.identity = identity;
  }

  /** Takes in a line of the file. One that can't be read is left to those who read. */
  take(text: string): void {
    const line = readLine(text);
    if (line !== undefined) this.apply(line);
  }

  /** The lines that add a message: none when it is there. */
  message(id: string, json: string, owner: TranscriptOwner, time: string): readonly string[] {
    const begun = this.begun(owner, time);
    const ids = this.idsOf(owner.agent_id);
    if (ids.has(id)) return begun;
    ids.add(id);
    return [...begun, jsonLine(owner.agent_id, "message", json)];
  }

  /** The lines that add an item of the rollout. */
  item(json: string, owner: TranscriptOwner, time: string): readonly string[] {
    return [...this.begun(owner, time), jsonLine(owner.agent_id, "item", json)];
  }

  /** The lines that change what is known of an agent. */
  save(changes: TranscriptChanges, owner: TranscriptOwner, time: string): readonly string[] {
    const begun = this.begun(owner, time);
    this.apply({ agent: owner.agent_id, kind: "save", changes, time });
    return [...begun, saveLine(owner.agent_id, changes, time)];
  }

  /** The lines that take an agent and its descendants away. */
  deletion(agent_id: string): readonly string[] {
    const gone = withDescendants(agent_id, this.agents.values());
    for (const agent of gone) this.apply({ agent, kind: "deleted" });
    return gone.map(deletedLine);
  }

  private begun(owner: TranscriptOwner, time: string): readonly string[] {
    if (this.agents.has(owner.agent_id)) return [];
    const metadata = firstMetadata(owner, time);
    this.apply({ agent: owner.agent_id, kind: "begin", metadata });
    return [beginLine(metadata)];
  }

  private apply(line: SessionLine): void {
    applyLine(this.agents, line);
    if (line.kind === "message") this.idsOf(line.agent).add(line.message.id);
    if (line.kind === "deleted") this.ids.delete(line.agent);
  }

  private idsOf(agent: string): Set<string> {
    const known = this.ids.get(agent);
    if (known !== undefined) return known;
    const ids = new Set<string>();
    this.ids.set(agent, ids);
    return ids;
  }
}
