import { agentVariables } from "../adapters/agents.ts";
import { agentPrograms } from "../adapters/integrations.ts";
import { type Ancestor, ancestorsOf, baseName, variablesOf } from "../node/process/identity/ancestors.ts";
import { thisProcess } from "../node/process/identity/process-identity.ts";
import type { AgentStatus } from "../shared/monitor/monitor.ts";

/** Who has started a process: a person, an agent, or nobody knows. */
export type Starter =
  | { readonly by: "person" }
  | { readonly by: "agent" | "unknown" /** A sentence for a human. */; readonly why: string };

export interface KnownProcesses {
  readonly agents: readonly Pick<AgentStatus, "agent_id" | "pid" | "process">[];
  /** The monitor's daemon: what it starts is the user's own, though an agent may have started the daemon. */
  readonly daemon?: number | undefined;
}

/**
 * Looks at a process and its ancestors. An agent is one that is in the monitor, has the name of an agent's program, or was
 * started with variables that agents set. Nobody knows about a process that was cut off from its ancestors after an agent
 * had started, unless it has a terminal of its own. Never rejects.
 */
export async function whoStarted(pid: number, { agents, daemon }: KnownProcesses): Promise<Starter> {
  const chain = ancestorsOf(pid);
  const [self] = chain;
  if (self === undefined) return { by: "unknown", why: `Process ${pid} has ended, or can't be seen.` };
  const [variables, programs] = [new Set(await agentVariables()), new Set(await agentPrograms())];
  for (const one of chain) {
    if (one.pid === daemon) return { by: "person" };
    const why =
      registeredAs(one, agents) ?? programOf(one, programs) ?? variableIn(variablesOf(one.pid), variables);
    if (why !== undefined) return { by: "agent", why: `${describe(self)} was started by an agent: ${why}.` };
  }
  const at = chain.findIndex((_, index) => mayBeCutOff(chain[index + 1]));
  const own = chain.slice(0, at + 1);
  const top = own.at(-1);
  // Only what has lost its parent is given to the first process: one without any was never anybody's.
  const isKnown = top === undefined || top.parent === 0 || startTime(top.started) < firstStart(agents);
  const hasTerminal = self.hasTerminal && own.some((one) => one.hasTerminal && one.leadsSession);
  return isKnown || hasTerminal
    ? { by: "person" }
    : {
        by: "unknown",
        why: `Nobody knows who started ${describe(self)}, and it has no terminal of its own.`,
      };
}

/** The variable that shows that an agent has started what has these variables; `undefined` when none does. */
export async function agentVariable(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  return variableIn(environment, new Set(await agentVariables()));
}

/** Our own agent marks what its shell runs. */
const OWN_VARIABLE = "TENTERHOOK_SESSION_RUN";

function variableIn(environment: NodeJS.ProcessEnv, variables: ReadonlySet<string>): string | undefined {
  const name = Object.keys(environment).find(
    (one) => (one === OWN_VARIABLE || variables.has(one)) && (environment[one] ?? "") !== "",
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

/** Many agents are scripts. */
const INTERPRETERS = /^(?:node|bun|deno|python[\d.]*)$/;

function programOf({ pid, name, words }: Ancestor, programs: ReadonlySet<string>): string | undefined {
  const [program = "", ...rest] = words;
  const script = INTERPRETERS.test(baseName(program))
    ? rest.find((word) => !word.startsWith("-"))
    : undefined;
  const found = [name, baseName(program), baseName(script ?? "")].find((one) => programs.has(one));
  return found && `${found} is process ${pid}`;
}

/** True when this parent takes over processes whose own parent has ended. */
function mayBeCutOff(parent: Ancestor | undefined): boolean {
  return parent === undefined || parent.pid === 1 || parent.name === "systemd";
}

function firstStart(agents: KnownProcesses["agents"]): number {
  const { machine } = thisProcess();
  const here = agents.flatMap(({ process }) => (process?.machine === machine ? (process.started ?? []) : []));
  return Math.min(Number.POSITIVE_INFINITY, ...here.map(startTime));
}

/** Ticks on Linux, a date elsewhere. What can't be read counts as late. */
function startTime(started: string): number {
  const time = /^\d+$/.test(started) ? Number(started) : Date.parse(started);
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
}

function describe({ pid, name }: Ancestor): string {
  return `process ${pid} (${name})`;
}
