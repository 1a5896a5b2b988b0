import { TenterhookError } from "../../core/base/errors.ts";
import type { Ancestor } from "../../node/identity/ancestors.ts";
import type { Link, Origin } from "./origin.ts";

/** Whether a process may act in its user's name, with sentences for a human. */
export type Standing =
  | {
      readonly is: "person";
      /** True below the shell of a terminal. */
      readonly hasTerminal: boolean;
    }
  /** The user must say elsewhere that it was them: `session` is what about, `question` the id of what they are asked. */
  | { readonly is: "asked"; readonly why: string; readonly session?: Session; readonly question?: string }
  | { readonly is: "refused"; readonly why: string };

/** The process that began the terminal or session from which somebody acts. */
export type Session = Pick<Ancestor, "pid" | "name" | "started" | "hasTerminal" | "leadsSession">;

interface Row {
  /** Where the process comes from, as the guide on security has it. */
  readonly from: string;
  readonly is: Standing["is"];
  readonly holds: (origin: Origin) => boolean;
  readonly why: (origin: Origin) => string;
}

/** Who is a person: the first row that holds decides. */
export const ROWS: readonly Row[] = [
  {
    from: "an agent: one in the monitor, a program with an agent's name, or anything with a variable that agents set",
    is: "refused",
    holds: ({ agent }) => agent !== undefined,
    why: ({ chain, agent }) => `${describe(chain[0])} was started by an agent: ${agent}.`,
  },
  {
    from: "the monitor's daemon itself, for its page",
    is: "person",
    holds: ({ daemon }) => daemon === "first",
    why: () => "",
  },
  {
    from: "what the daemon has started: the program of a hook, its server, a check",
    is: "refused",
    holds: ({ daemon }) => daemon === "above",
    why: ({ chain }) =>
      `${describe(chain[0])} was started by the monitor's daemon, like the programs of hooks.`,
  },
  {
    from: "nowhere that can be seen: it has ended, or the system does not show it",
    is: "asked",
    holds: ({ chain }) => chain.length === 0,
    why: () => "The system does not show the process that sent this.",
  },
  {
    from: "no parent, with a cleared environment",
    is: "refused",
    holds: (origin) => processesOf(origin).every(isCleared),
    why: ({ chain }) => `${describe(chain[0])} has lost its parents and its variables.`,
  },
  {
    from: "a terminal, an ssh or tmux session, an editor or a service that was there before every agent that runs",
    is: "person",
    holds: (origin) => laterThan(origin) === undefined,
    why: () => "",
  },
  {
    from: "one that came later, or something that has lost its parents since: an agent may have opened or left it",
    is: "asked",
    holds: () => true,
    why: (origin) => {
      const session = sessionOf(origin);
      const { name, pid } = laterThan(origin) ?? {};
      const what =
        session?.hasTerminal === true ? "This terminal" : `${describe(session)}, where this began,`;
      return `${what} was there only after ${name} (process ${pid}) had started, so it may be the agent's.`;
    },
  },
];

/** Says whether what comes from there may act in its user's name. */
export function standingOf(origin: Origin): Standing {
  const row = ROWS.find(({ holds }) => holds(origin));
  if (row === undefined || row.is === "refused")
    return { is: "refused", why: row?.why(origin) ?? "Nobody knows who it is." };
  const session = sessionOf(origin);
  if (row.is === "person")
    return { is: "person", hasTerminal: session?.leadsSession === true && session.hasTerminal };
  return { is: "asked", why: row.why(origin), session };
}

/** @throws TenterhookError `not_a_person` for who may not act in the user's name, with the way out. */
export function mustBe(standing: Standing, demand: string): asserts standing is Standing & { is: "person" } {
  if (standing.is === "person") return;
  const { why } = standing;
  const hint = wayOut(standing);
  throw new TenterhookError("not_a_person", `${demand} ${why}`, hint === undefined ? {} : { hint });
}

/** How somebody who is no person as yet can be one, a sentence; `undefined` for an agent, who can't. */
export function wayOut(standing: Standing): string | undefined {
  if (standing.is !== "asked") return undefined;
  const { question } = standing;
  return question === undefined
    ? "Use a terminal that was open before the agent."
    : `Say on the page or on your phone that it is you, then try again; or use a terminal that was open before the agent: tenterhook answer ${question.slice(0, 8)} yes`;
}

/** The processes up to the one that takes over those whose parent has ended, or starts what anybody gives it. */
function processesOf({ chain }: Origin): readonly Link[] {
  return chain.slice(0, chain.findIndex((_, at) => adopts(chain[at + 1])) + 1);
}

function adopts(parent: Link | undefined): boolean {
  return parent === undefined || parent.pid === 1 || TAKES_JOBS.test(parent.name);
}

const TAKES_JOBS = /^(?:systemd|tmux(?:: server)?|screen|SCREEN|atd|crond?|anacron)$/;

/**
 * The shell of the outermost terminal: who has that has all terminals in it. Without one, what leads its session; a process
 * that was cut off has nothing above it that does.
 */
function sessionOf(origin: Origin): Session | undefined {
  const own = processesOf(origin);
  const leaders = own.filter(({ leadsSession }) => leadsSession);
  return leaders.findLast(({ hasTerminal }) => hasTerminal) ?? leaders[0] ?? own.at(-1);
}

/** An agent that was there before the session. */
function laterThan(origin: Origin): Origin["agents"][number] | undefined {
  const session = startTime(sessionOf(origin)?.started ?? "");
  return origin.agents.find(({ started }) => startTime(started) <= session);
}

/** Ticks on Linux, a date elsewhere. What can't be read counts as late. */
function startTime(started: string): number {
  const time = /^\d+$/.test(started) ? Number(started) : Date.parse(started);
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
}

/** What a session, a service or a container gives to all it starts. */
const USUAL_VARIABLES = ["HOME", "USER", "LOGNAME", "INVOCATION_ID"];

function isCleared({ variables, hasTerminal }: Link): boolean {
  return (
    variables !== undefined && !hasTerminal && USUAL_VARIABLES.every((name) => (variables[name] ?? "") === "")
  );
}

function describe(one: Pick<Link, "pid" | "name"> | undefined): string {
  return one === undefined ? "It" : `Process ${one.pid} (${one.name})`;
}
