import type { ReadTranscriptOptions, RolloutStep, Transcript } from "../../../core/transcript.ts";
import { damaged } from "../damage.ts";
import { firstMetadata } from "../metadata.ts";
import { DistinctMessages } from "./distinct-messages.ts";
import { headOf, readLine, type SessionLine } from "./lines.ts";
import { openToRead } from "./open-to-read.ts";
import { scanLines } from "./scan-lines.ts";
import { applyLine, type SessionAgents } from "./session-agents.ts";

/** The transcript of an agent in the file of its session; `undefined` when it is not there. */
export async function readTranscript(
  file: string,
  agent_id: string,
  options: ReadTranscriptOptions,
): Promise<Transcript | undefined> {
  const agents: SessionAgents = new Map();
  const messages = new DistinctMessages();
  await eachLine(file, agent_id, "item", options, (line) => {
    if (line.kind === "message") messages.add(line.message);
    else applyLine(agents, line);
    if (line.kind === "deleted") messages.clear();
  });
  const metadata = agents.get(agent_id);
  if (metadata !== undefined) return { metadata, messages: messages.all() };
  if (messages.all().length === 0) return undefined;
  // The line the agent began with is damaged, which somebody has heard of; the messages are worth having without it.
  const unknown = firstMetadata({ agent_id, session_id: agent_id }, new Date(0).toISOString());
  return { metadata: unknown, messages: messages.all() };
}

/** The rollout of an agent in the file of its session. */
export async function readRollout(
  file: string,
  agent_id: string,
  options: ReadTranscriptOptions,
): Promise<readonly RolloutStep[]> {
  let steps: RolloutStep[] = [];
  const messages = new DistinctMessages();
  await eachLine(file, agent_id, undefined, options, (line) => {
    if (line.kind === "item") steps.push({ item: line.item });
    if (line.kind === "message" && messages.add(line.message)) steps.push({ message_id: line.message.id });
    if (line.kind === "deleted") {
      steps = [];
      messages.clear();
    }
  });
  return steps;
}

async function eachLine(
  file: string,
  agent_id: string,
  skipped: "item" | undefined,
  options: ReadTranscriptOptions,
  visit: (line: SessionLine) => void,
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
        if (!text.startsWith(messageHead)) {
          const head = headOf(text);
          if (head !== undefined && (head.agent !== agent_id || head.kind === skipped)) return;
        }
        const line = readLine(text);
        if (line === undefined) unreadable.set(end, number);
        else if (line.agent === agent_id) visit(line);
      },
      { signal: options.signal, torn: (end) => unreadable.delete(end) },
    );
  } finally {
    await handle.close();
  }
  for (const number of unreadable.values()) damaged(`${file}, line ${number},`, options);
}
