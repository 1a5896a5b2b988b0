import type { TranscriptChanges, TranscriptOwner } from "../../../core/contracts/transcript.ts";
import { firstMetadata, withDescendants } from "../records.ts";
import {
  applyLine,
  beginLine,
  deletedLine,
  jsonLine,
  numberAfter,
  readLine,
  type SessionAgents,
  type SessionLine,
  saveLine,
} from "./lines.ts";

/** What is to be written into the file of a session. Messages and items are given as JSON. */
export type Change =
  | { readonly kind: "deletion"; readonly agent_id: string }
  | ({ readonly owner: TranscriptOwner; readonly time: string } & (
      | { readonly kind: "message"; readonly id: string; readonly json: string }
      | { readonly kind: "item"; readonly json: string }
      | { readonly kind: "save"; readonly changes: TranscriptChanges }
    ));

/** What the writer of a session's file knows about the file, and the lines to add for a change. */
export class SessionState {
  readonly agents: SessionAgents = new Map();
  /** The offset up to which the file was read. */
  end = 0;
  /** The offset at which the file ends if nobody else has appended since the last write. */
  written = 0;
  /** Of the file that was read. */
  readonly identity: string;
  private readonly ids = new Map<string, Set<string>>();
  /** The number of each agent's last line. */
  private readonly numbers = new Map<string, number>();

  constructor(identity: string) {
    this.identity = identity;
  }

  /** Applies a line of the file; readers report lines that can't be read. */
  take(text: string): void {
    const line = readLine(text);
    if (line === undefined) return;
    this.numbers.set(line.agent, numberAfter(this.numbers.get(line.agent) ?? 0, line.n));
    this.apply(line);
  }

  /** The lines to add for a change: none for a message that is stored already. */
  linesFor(change: Change): readonly string[] {
    if (change.kind === "deletion") {
      const gone = withDescendants(change.agent_id, this.agents.values());
      for (const agent of gone) this.apply({ agent, kind: "deleted" });
      return gone.map((agent) => deletedLine(agent, this.nextNumber(agent)));
    }
    const { owner, time } = change;
    const agent = owner.agent_id;
    const lines: string[] = [];
    if (!this.agents.has(agent)) {
      const metadata = firstMetadata(owner, time);
      this.apply({ agent, kind: "begin", metadata });
      lines.push(beginLine(metadata, this.nextNumber(agent)));
    }
    if (change.kind === "item") lines.push(jsonLine(agent, this.nextNumber(agent), "item", change.json));
    else if (change.kind === "save") {
      const { changes } = change;
      this.apply({ agent, kind: "save", changes, time });
      lines.push(saveLine(agent, this.nextNumber(agent), changes, time));
    } else if (!this.idsOf(agent).has(change.id)) {
      this.idsOf(agent).add(change.id);
      lines.push(jsonLine(agent, this.nextNumber(agent), "message", change.json));
    }
    return lines;
  }

  private apply(line: SessionLine): void {
    applyLine(this.agents, line);
    if (line.kind === "message") this.idsOf(line.agent).add(line.message.id);
    if (line.kind === "deleted") this.ids.delete(line.agent);
  }

  private nextNumber(agent: string): number {
    const next = (this.numbers.get(agent) ?? 0) + 1;
    this.numbers.set(agent, next);
    return next;
  }

  private idsOf(agent: string): Set<string> {
    const ids = this.ids.get(agent) ?? new Set();
    this.ids.set(agent, ids);
    return ids;
  }
}
