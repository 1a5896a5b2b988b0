import { setTimeout as sleep } from "node:timers/promises";
import { AGENT_STATES, type AgentState, type AgentStatus } from "../../../../shared/monitor/monitor.ts";
import { type Invocation, textOption } from "../../../command-line/command.ts";
import { secondsOption } from "../../../command-line/seconds-option.ts";
import { unknownName } from "../../../command-line/usage-error.ts";
import { named } from "./named-agent.ts";

const POLL_MILLISECONDS = 300;
/** The exit codes of `tenterhook agents wait`, besides 0. That of a timeout is the one of timeout(1). */
const OTHERWISE = 1;
const ASKS = 3;
const TIMED_OUT = 124;

const ENDED: readonly AgentState[] = ["exited", "gone"];

/**
 * Waits until the named agent is in a state that is waited for, or can't get there any more.
 *
 * @throws TenterhookError `usage_error` for a wrong option, before the agent is looked for.
 */
export async function waitForState(invocation: Invocation) {
  const { signal } = invocation;
  const states = wantedStates(textOption(invocation, "state"));
  const seconds = secondsOption(invocation, "timeout") ?? Number.POSITIVE_INFINITY;
  const { agent, name, client } = await named(invocation);
  const latest = performance.now() + seconds * 1000;
  for (let last = agent; ; ) {
    const code = codeOf(last, states);
    if (code !== undefined) return { last, name, code };
    if (performance.now() >= latest) return { last, name, code: TIMED_OUT };
    await sleep(POLL_MILLISECONDS, undefined, { signal });
    last = (await client.agents()).find(({ agent_id }) => agent_id === agent.agent_id) ?? last;
  }
}

/** The exit code for an agent in its present state; `undefined` while it is waited for. */
function codeOf(agent: AgentStatus, states: readonly AgentState[] | undefined): number | undefined {
  const { state } = agent;
  if (states?.includes(state) === true) return 0;
  if (states !== undefined) return ENDED.includes(state) ? OTHERWISE : undefined;
  switch (state) {
    case "starting":
    case "working":
      return undefined;
    case "prompting":
      return ASKS;
    case "idle":
    case "exited":
      return agent.outcome === "failed" || (agent.exit_code ?? 0) !== 0 ? OTHERWISE : 0;
    case "failed":
    case "gone":
      return OTHERWISE;
    default:
      return state satisfies never;
  }
}

function wantedStates(given: string | undefined): readonly AgentState[] | undefined {
  return given?.split(",").map((word) => {
    const state = AGENT_STATES.find((one) => one === word.trim());
    if (state !== undefined) return state;
    throw unknownName("state", word.trim(), AGENT_STATES, `States: ${AGENT_STATES.join(", ")}.`);
  });
}
