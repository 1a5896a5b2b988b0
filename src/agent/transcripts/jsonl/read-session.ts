import { parseJson } from "../../../core/base/json.ts";
import type {
  ActivityStep,
  ReadTranscriptOptions,
  StoredMessage,
  Transcript,
  TranscriptMetadata,
} from "../../../core/contracts/transcript.ts";
import { firstMetadata } from "../metadata.ts";
import { isStoredMessage, reportDamage } from "../records.ts";
import { applyLine, headOf, readLine, type SessionAgents, type SessionLine } from "./lines.ts";
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

/** The agents of a session; none when there is no such session. */
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

/** Visits the lines of an agent in order. */
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
  const messageHead = `{"agent":${JSON.stringify(agent_id)},"message":`;
  const visit = ({ text, number }: ScannedLine) => {
    if (text.startsWith(messageHead)) {
      // Most lines are messages: only the message itself has to be parsed.
      const message = parseJson(text.slice(messageHead.length, -1));
      if (isStoredMessage(message) && text.endsWith("}}")) return visitor.message(message);
    } else {
      const head = headOf(text);
      if (head !== undefined && (head.agent !== agent_id || head.kind === visitor.skipped)) return;
    }
    const line = readLine(text);
    if (line === undefined) reportDamage(`${file}, line ${number},`, options);
    else if (line.agent !== agent_id) return;
    else if (line.kind === "message") visitor.message(line.message);
    else visitor.other(line);
  };
  await scanFile(file, visit, options.signal);
}
