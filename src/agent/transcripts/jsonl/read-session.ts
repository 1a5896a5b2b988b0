import { parseJson } from "../../../core/base/json.ts";
import type {
  ActivityStep,
  ReadTranscriptOptions,
  StoredMessage,
  Transcript,
  TranscriptMetadata,
} from "../../../core/contracts/transcript.ts";
import { firstMetadata, isStoredMessage, reportDamage } from "../records.ts";
import { applyLine, headOf, numberAfter, readLine, type SessionAgents, type SessionLine } from "./lines.ts";
import { type ScannedLine, scanFile } from "./scan-lines.ts";

/** The transcript of an agent in the file of its session; `undefined` when it is not there. */
export async function readTranscript(
  file: string,
  agent_id: string,
  options: ReadTranscriptOptions,
): Promise<Transcript | undefined> {
  const agents: SessionAgents = new Map();
  const messages = new Map<string, StoredMessage>();
  await eachLine(file, agent_id, options, {
    skipped: "item",
    message(message) {
      if (!messages.has(message.id)) messages.set(message.id, message);
    },
    other(line) {
      applyLine(agents, line);
      if (line.kind === "deleted") messages.clear();
    },
  });
  const metadata = agents.get(agent_id);
  if (metadata === undefined && messages.size === 0) return undefined;
  // The first line of the agent may be damaged, which was reported; its messages are worth having without it.
  const unknown = firstMetadata({ agent_id, session_id: agent_id }, new Date(0).toISOString());
  return { metadata: metadata ?? unknown, messages: [...messages.values()] };
}

export async function readAgents(file: string, signal?: AbortSignal): Promise<readonly TranscriptMetadata[]> {
  const agents: SessionAgents = new Map();
  await scanFile(
    file,
    ({ text }) => {
      // Messages and items, which are most of the file, are not parsed.
      const kind = headOf(text)?.kind;
      const line = kind === "message" || kind === "item" ? undefined : readLine(text);
      if (line !== undefined) applyLine(agents, line);
    },
    signal,
  );
  return [...agents.values()];
}

export async function readActivity(
  file: string,
  agent_id: string,
  options: ReadTranscriptOptions,
): Promise<readonly ActivityStep[]> {
  const steps: ActivityStep[] = [];
  const ids = new Set<string>();
  await eachLine(file, agent_id, options, {
    message({ id }) {
      if (!ids.has(id)) steps.push({ message_id: id });
      ids.add(id);
    },
    other(line) {
      if (line.kind === "item") steps.push({ item: line.item });
      if (line.kind !== "deleted") return;
      steps.length = 0;
      ids.clear();
    },
  });
  return steps;
}

interface Visitor {
  /** Lines of this kind are skipped without being parsed. */
  readonly skipped?: "item";
  message(message: StoredMessage): void;
  other(line: Exclude<SessionLine, { readonly kind: "message" }>): void;
}

async function eachLine(
  file: string,
  agent_id: string,
  options: ReadTranscriptOptions,
  visitor: Visitor,
): Promise<void> {
  /** Of the agent's last line; unknown after one that can't be read, which was reported. */
  let last: number | undefined = 0;
  const count = (n: number | undefined, line: number): void => {
    const missing = last === undefined || n === undefined ? 0 : n - last - 1;
    last = last === undefined ? n : numberAfter(last, n);
    if (missing > 0)
      reportDamage(`${file}, ${missing === 1 ? "1 line" : `${missing} lines`} before line ${line},`, options);
  };
  const visit = ({ text, number }: ScannedLine) => {
    const head = headOf(text);
    if (head !== undefined && head.agent !== agent_id) return;
    if (head !== undefined && head.kind === visitor.skipped) return count(head.n, number);
    // Most lines are messages: only the message itself has to be parsed.
    const value =
      head?.kind === "message" && text.endsWith("}}") ? parseJson(text.slice(head.length, -1)) : undefined;
    const line: SessionLine | undefined = isStoredMessage(value)
      ? { ...head, agent: agent_id, kind: "message", message: value }
      : readLine(text);
    if (line === undefined) {
      last = undefined;
      return reportDamage(`${file}, line ${number},`, options);
    }
    if (line.agent !== agent_id) return;
    count(line.n, number);
    if (line.kind === "message") visitor.message(line.message);
    else visitor.other(line);
  };
  await scanFile(file, visit, options.signal);
}
