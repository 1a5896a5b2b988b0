import { agentVariables } from "../../adapters/agents.ts";
import { agentPrograms } from "../../adapters/integrations.ts";
import {
  type Ancestor,
  allProcesses,
  ancestorsOf,
  baseName,
  variablesOf,
} from "../../node/identity/ancestors.ts";
import { thisProcess } from "../../node/identity/process-identity.ts";
import { MARKER_VARIABLE, SESSION_VARIABLE } from "../../node/process/running.ts";
import type { AgentStatus } from "../../shared/monitor/monitor.ts";

/** A process on the way from the one that acts up to the first of the system. */
export interface Link extends Ancestor {
  /** What it was started with; absent where the system does not show it. */
  readonly variables: NodeJS.ProcessEnv | undefined;
}

/** Where a process comes from, as far as the system shows it. */
export interface Origin {
  /** The process and those above it; empty when they can't be seen. */
  readonly chain: readonly Link[];
  /** Why one of them is an agent, or was started by one, a sentence's end. */
  readonly agent?: string;
  /** Where the monitor's daemon is in the chain. An agent may have started it, so what is above it does not count. */
  readonly daemon?: "first" | "above";
  /** The agents that run on this machine. */
  readonly agents: readonly RunningAgent[];
}

interface RunningAgent {
  readonly name: string;
  readonly pid: number;
  /** As in `ProcessMark`. */
  readonly started: string;
}

export interface KnownProcesses {
  readonly agents: readonly Pick<AgentStatus, "agent_id" | "pid" | "process">[];
  readonly daemon?: number | undefined;
}

/** Looks at a process and those above it. Never rejects. */
export async function originOf(pid: number, known: KnownProcesses): Promise<Origin> {
  const [variables, programs] = [new Set(await agentVariables()), new Set(await agentPrograms())];
  const chain = ancestorsOf(pid).map((one) => ({ ...one, variables: variablesOf(one.pid) }));
  const mine = chain.findIndex((one) => one.pid === known.daemon);
  const own = mine < 0 ? chain : chain.slice(0, mine);
  const [agent] = own.flatMap(
    (one) =>
      registeredAs(one, known.agents) ??
      programOf(one, programs) ??
      agentVariableIn(one.variables ?? {}, variables) ??
      [],
  );
  return {
    chain,
    agent,
    ...(mine < 0 ? {} : { daemon: mine === 0 ? "first" : "above" }),
    agents: runningAgents(known.agents, programs),
  };
}

/** The variable that shows that an agent has started what has these variables; `undefined` when none does. */
export async function agentVariable(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  return agentVariableIn(environment, new Set(await agentVariables()));
}

/** What we set for the shell of our own agent, and for what hooks run. */
const OWN_VARIABLES: readonly string[] = [SESSION_VARIABLE, MARKER_VARIABLE];

function agentVariableIn(environment: NodeJS.ProcessEnv, variables: ReadonlySet<string>): string | undefined {
  const name = Object.keys(environment).find(
    (one) => (OWN_VARIABLES.includes(one) || variables.has(one)) && (environment[one] ?? "") !== "",
  );
  return name && `the variable ${name} is set`;
}

function registeredAs({ pid, started }: Ancestor, agents: KnownProcesses["agents"]): string | undefined {
  const { machine } = thisProcess();
  const agent = agents.find(
    (one) => one.pid === pid && one.process?.machine === machine && one.process.started === started,
  );
  return agent && `${agent.agent_id} is process ${pid}`;
}

/** Those of the monitor that have not ended, and those that only the name of their program tells. */
function runningAgents(
  agents: KnownProcesses["agents"],
  programs: ReadonlySet<string>,
): readonly RunningAgent[] {
  const { machine } = thisProcess();
  const all = allProcesses();
  const starts = new Map(all.map(({ pid, started }) => [pid, started]));
  const registered = agents.flatMap(({ agent_id, pid, process }) => {
    const started = process?.started;
    const isHere = process?.machine === machine && pid !== undefined && started !== undefined;
    return isHere && starts.get(pid) === started ? [{ name: agent_id, pid, started }] : [];
  });
  const named = all.flatMap((one) => {
    const name = programName(one, programs);
    return name === undefined ? [] : [{ name, pid: one.pid, started: one.started }];
  });
  return [...registered, ...named];
}

/** Many agents are scripts. */
const INTERPRETERS = /^(?:node|bun|deno|python[\d.]*)$/;

function programName({ name, words }: Ancestor, programs: ReadonlySet<string>): string | undefined {
  const [program = "", ...rest] = words;
  const script = INTERPRETERS.test(baseName(program))
    ? rest.find((word) => !word.startsWith("-"))
    : undefined;
  return [name, baseName(program), baseName(script ?? "")].find((one) => programs.has(one));
}

function programOf(one: Ancestor, programs: ReadonlySet<string>): string | undefined {
  const found = programName(one, programs);
  return found && `${found} is process ${one.pid}`;
}
