import { appendToSpool, type SpoolEvent, type SpoolRecord } from "./spool.ts";

/** Who tells something, and what it saw when it did. */
export interface Teller {
  readonly agent: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Tells the monitor something about an agent, with the session and the folder of the payload. Answers what was written;
 * `undefined` when nothing can be written, which must not hold the agent up.
 */
export function tell(
  { type, ...fields }: Omit<SpoolEvent, "agent_id">,
  { agent, payload, environment }: Teller,
): SpoolRecord | undefined {
  const { session_id, cwd } = payload;
  try {
    return appendToSpool(
      {
        type: String(type),
        ...fields,
        agent_id: agent,
        ...(typeof session_id === "string" ? { session_id } : {}),
        ...(typeof cwd === "string" ? { cwd } : {}),
      },
      environment,
    );
  } catch {
    return undefined;
  }
}
