import { join } from "node:path";
import { integrationOf } from "../../../../adapters/integrations.ts";
import { isAgentName } from "../../../../core/events/agent-names.ts";
import type { MonitorClient } from "../../../../monitor/client.ts";
import { endOfFile } from "../../../../node/files/regular-file.ts";
import { createRedactor } from "../../../../node/records/redact.ts";
import { stateFolder } from "../../../../node/user-folders.ts";
import type { AgentStatus } from "../../../../shared/monitor/monitor.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { harmless } from "../../../command-line/screen/text.ts";
import { messageLines } from "../../agent/sessions/actions.ts";
import { sessionStore } from "../../agent/sessions/session-store.ts";
import { hasEnded } from "../status/shown-agents.ts";

const MOST_BYTES = 400_000;
const MOST_TEXTS = 50;

/**
 * What an agent has said, as far as somebody kept it: the output of a program, the session of our own agent, or the last
 * texts in another agent's transcript. Without secrets and control characters.
 *
 * @throws what the store of sessions throws.
 */
export async function outputOf(
  agent: AgentStatus,
  { environment, signal }: Pick<Invocation, "environment" | "signal">,
): Promise<string> {
  const text =
    keptOutput(agent, environment) ||
    (await ownSession(agent, environment, signal)) ||
    (await writtenTexts(agent));
  const clean = harmless(createRedactor(environment).text(text)).trimEnd();
  return clean === "" ? "" : `${clean}\n`;
}

/** Only files of ours: a program could report any path. */
function keptOutput({ output_path = "" }: AgentStatus, environment: NodeJS.ProcessEnv): string {
  if (!output_path.startsWith(join(stateFolder(environment), "/")) || output_path.includes("..")) return "";
  return endOfFile(`${output_path}.old`, MOST_BYTES) + endOfFile(output_path, MOST_BYTES);
}

async function ownSession(
  { host, session_id }: AgentStatus,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  if (host !== "tenterhook" || session_id === undefined) return "";
  const store = sessionStore(environment);
  try {
    const session = await store.load(session_id, { signal, onDamage: () => undefined });
    return (session?.messages ?? [])
      .flatMap(messageLines)
      .map(({ who, text }) => `${who}: ${text}`)
      .join("\n");
  } finally {
    await store.close();
  }
}

async function writtenTexts({ host = "", transcript_path }: AgentStatus): Promise<string> {
  const texts = isAgentName(host)
    ? ((await integrationOf(host)).adapter.lastTexts?.({ transcript_path }) ?? [])
    : [];
  const last: string[] = [];
  for (const text of texts) if (last.push(text) >= MOST_TEXTS) break;
  return last.reverse().join("\n\n");
}

/** Reads the output of an agent, a last time after it has ended. */
export function outputWhileRunning(
  { agent_id }: AgentStatus,
  client: MonitorClient,
  invocation: Invocation,
): () => Promise<string | undefined> {
  let isOver = false;
  return async () => {
    if (isOver) return undefined;
    const agent = (await client.agents()).find((one) => one.agent_id === agent_id);
    isOver = agent === undefined || hasEnded(agent);
    return agent === undefined ? undefined : outputOf(agent, invocation);
  };
}
