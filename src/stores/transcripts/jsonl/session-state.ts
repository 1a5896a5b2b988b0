import type { TranscriptChanges, TranscriptOwner } from "../../../core/contracts/transcript.ts";
import { firstMetadata, withDescendants } from "../metadata.ts";
import { beginLine, deletedLine, jsonLine, readLine, type SessionLine, saveLine } from "./lines.ts";
import { applyLine, type SessionAgents } from "./session-agents.ts";

/** What is to be written into the file of a session. Messages and items are given as JSON. */
export type Change =
  | {
      readonly kind: "message";
      readonly id: string;
      readonly json: string;
      readonly owner: TranscriptOwner;
      readonly time: string;
    }
  | { readonly kind: "item"; readonly json: string; readonly owner: TranscriptOwner; readonly time: string }
  | {
      readonly kind: "save";
      readonly changes: TranscriptChanges;
      readonly owner: TranscriptOwner;
      readonly time: string;
    }
  | { readonly kind: "deletion"; readonly agent_id: string };

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

  /**
   * Takes in a line of the file. One that can't be read is left to those who read. A message that is doubted does not count
   * as there, so that it is written again; readers take the first of the same id.
   */
  take(text: string, doubted: boolean): void {
    const line = readLine(text);
    if (line !== undefined && !(doubted && line.kind === "message")) this.apply(line);
  }

  /** Adds the lines of a change: none for a message that is there. */
  compose(change: Change, lines: string[]): void {
    if (change.kind === "deletion") {
      this.composeDeletion(change.agent_id, lines);
      return;
    }
    const { owner, time } = change;
    const { agent_id } = owner;
    if (!this.agents.has(agent_id)) lines.push(this.begin(owner, time));
    if (change.kind === "item") lines.push(jsonLine(agent_id, "item", change.json));
    else if (change.kind === "message") {
      const ids = this.idsOf(agent_id);
      const before = ids.size;
      // Added and looked for in one go.
      if (ids.add(change.id).size > before) lines.push(jsonLine(agent_id, "message", change.json));
    } else {
      const { changes } = change;
      this.apply({ agent: agent_id, kind: "save", changes, time });
      lines.push(saveLine(agent_id, changes, time));
    }
  }

  /** Takes an agent and its descendants away. */
  private composeDeletion(agent_id: string, lines: string[]): void {
    const gone = withDescendants(agent_id, this.agents.values());
    for (const agent of gone) this.apply({ agent, kind: "deleted" });
    lines.push(...gone.map(deletedLine));
  }

  private begin(owner: TranscriptOwner, time: string): string {
    const metadata = firstMetadata(owner, time);
    this.apply({ agent: owner.agent_id, kind: "begin", metadata });
    return beginLine(metadata);
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
