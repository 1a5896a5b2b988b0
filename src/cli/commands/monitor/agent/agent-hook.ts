/** The agent that a hook runs for. */
interface Site {
  readonly agent: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Reports to the monitor. Returns the reply to the agent, if there is one. */
export type AgentHook = (
  payload: Readonly<Record<string, unknown>>,
  site: Site,
) => Promise<object | undefined>;
