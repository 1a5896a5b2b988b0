import type { TranscriptMetadata } from "../../../core/contracts/transcript.ts";
import { changedMetadata } from "../metadata.ts";
import { headOf, readLine, type SessionLine } from "./lines.ts";

/** What is known of the agents of a session, by their ids. */
export type SessionAgents = Map<string, TranscriptMetadata>;

/** What a line changes about them. Applying lines twice, in order, changes nothing. */
export function applyLine(agents: SessionAgents, line: SessionLine): void {
  const before = agents.get(line.agent);
  if (line.kind === "deleted") agents.delete(line.agent);
  if (line.kind === "begin" && before === undefined) agents.set(line.agent, line.metadata);
  if (line.kind === "save" && before !== undefined)
    agents.set(line.agent, changedMetadata(before, line.changes, line.time));
}

/** The same for a line as it stands in the file. Messages and items, which are most of it, are not read. */
export function applyText(agents: SessionAgents, text: string): void {
  const kind = headOf(text)?.kind;
  if (kind === "message" || kind === "item") return;
  const line = readLine(text);
  if (line !== undefined) applyLine(agents, line);
}
