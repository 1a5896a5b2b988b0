import type {
  ReadTranscriptOptions,
  RolloutStep,
  StoredMessage,
  Transcript,
} from "../../../core/contracts/transcript.ts";
import { damaged } from "../damage.ts";
import { fromJson, isStoredMessage } from "../encode.ts";
import { firstMetadata } from "../metadata.ts";
import { headOf, readLine, type SessionLine } from "./lines.ts";
import { openToRead } from "./open-to-read.ts";
import { scanLines } from "./scan-lines.ts";
import { applyLine, type SessionAgents } from "./session-agents.ts";
import { withoutRepeats } from "./without-repeats.ts";

/** The transcript of an agent in the file of its session; `undefined` when it is not there. */
export async function readTranscript(
  file: string,
  agent_id: string,
  options: ReadTranscriptOptions,
): Promise<Transcript | undefined> {
  const agents: SessionAgents = new Map();
  let found: StoredMessage[] = [];
  await eachLine(file, agent_id, options, {
    skipped: "item",
    message: (message) => {
      found.push(message);
    },
    other: (line) => {
      applyLine(agents, line);
      if (line.kind === "deleted") found = [];
    },
  });
  const messages = withoutRepeats(found, ({ id }) => id);
  const metadata = agents.get(agent_id);
  if (metadata !== undefined) return { metadata, messages };
  if (messages.length === 0) return undefined;
  // The line the agent began with is damaged, which somebody has heard of; the messages are worth having without it.
  const unknown = firstMetadata({ agent_id, session_id: agent_id }, new Date(0).toISOString());
  return { metadata: unknown, messages };
}

/** The rollout of an agent in the file of its session. */
export async function readRollout(
  file: string,
  agent_id: string,
  options: ReadTranscriptOptions,
): Promise<readonly RolloutStep[]> {
  let steps: RolloutStep[] = [];
  await eachLine(file, agent_id, options, {
    message: (message) => {
      steps.push({ message_id: message.id });
    },
    other: (line) => {
      if (line.kind === "item") steps.push({ item: line.item });
      if (line.kind === "deleted") steps = [];
    },
  });
  return withoutRepeats(steps, ({ message_id }) => message_id);
}

/** Hears of the lines of an agent, in order. */
interface Visitor {
  /** Lines of this kind are not wanted. */
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
  const handle = await openToRead(file);
  if (handle === undefined) return;
  const messageHead = `{"agent":${JSON.stringify(agent_id)},"message":`;
  // By the end of the line: one further down may say that it was cut off.
  const unreadable = new Map<number, number>();
  try {
    await scanLines(
      handle.fd,
      0,
      ({ text, number, end }) => {
        if (text.startsWith(messageHead)) {
          // Most lines: what is around the message is known without being read.
          const message = fromJson(text.slice(messageHead.length, -1));
          if (isStoredMessage(message) && text.endsWith("}}")) return visitor.message(message);
        } else {
          const head = headOf(text);
          if (head !== undefined && (head.agent !== agent_id || head.kind === visitor.skipped)) return;
        }
        const line = readLine(text);
        if (line === undefined) unreadable.set(end, number);
        else if (line.agent !== agent_id) return;
        else if (line.kind === "message") visitor.message(line.message);
        else visitor.other(line);
      },
      { signal: options.signal, torn: (end) => unreadable.delete(end) },
    );
  } finally {
    await handle.close();
  }
  for (const number of unreadable.values()) damaged(`${file}, line ${number},`, options);
}
