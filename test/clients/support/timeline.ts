import { appendFileSync } from "node:fs";
import { monitorClient } from "../../../src/monitor/client.ts";
import type { AgentState, AgentStatus } from "../../../src/shared/monitor/monitor.ts";

/** What an agent does in truth from a time on, and the states that say so. */
interface Truth {
  readonly from: number;
  readonly what: string;
  readonly states: readonly AgentState[];
}

interface Sample {
  readonly at: number;
  readonly agent: AgentStatus | undefined;
}

/** A time in which both stay the same. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly truth: Truth;
  readonly agent: AgentStatus;
}

/** How well what the monitor said matches what happened. Times are in milliseconds. */
export interface Match {
  readonly total: number;
  readonly wrong: number;
  /** The part of the time in which it was right. */
  readonly right: number;
  /** Each time in which it was wrong, unless that was short: when, for how long, what it said and why, and what was true. */
  readonly wrongs: readonly string[];
  /** The longest time in which it was wrong while the agent did each thing. */
  readonly lags: ReadonlyMap<string, number>;
  /** Time in which it said that it does not know. */
  readonly unknown: number;
  /** The longest time in which it was wrong without a break, and what happened then. */
  readonly longest: number;
  readonly during: string;
  /** What it said at the end. */
  readonly last: AgentStatus | undefined;
}

const SAMPLE_MILLISECONDS = 200;
const TOLD_MILLISECONDS = 500;
/** Before the first word of a hook nothing can be known. */
const NOTHING_YET: readonly AgentState[] = ["starting", "idle"];

/** The true timeline of one agent, from who drives it, next to what the daemon says at the same time. */
export class Timeline {
  readonly #truths: Truth[] = [];
  readonly #samples: Sample[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(agentId: string, environment: NodeJS.ProcessEnv) {
    const client = monitorClient(environment);
    let asks = false;
    this.#timer = setInterval(() => {
      if (asks) return;
      asks = true;
      client
        .agents()
        .then(
          (agents) =>
            this.#samples.push({ at: Date.now(), agent: agents.find((one) => one.agent_id === agentId) }),
          () => undefined,
        )
        .finally(() => {
          asks = false;
        });
    }, SAMPLE_MILLISECONDS);
    this.is("starts", ...NOTHING_YET);
  }

  /** From now on the agent does this, which one of these states says. Without any, the time does not count. */
  is(what: string, ...states: readonly AgentState[]): void {
    this.#truths.push({ from: Date.now(), what, states });
  }

  /** Nobody can tell what the agent has done since it was last said: that time does not count. */
  isUnclear(why: string): void {
    const last = this.#truths.pop();
    if (last !== undefined) this.#truths.push({ ...last, what: why, states: [] });
  }

  /** What was said last. */
  last(): AgentStatus | undefined {
    return this.#samples.at(-1)?.agent;
  }

  end(): Match {
    clearInterval(this.#timer);
    let [total, wrong, unknown, stretch, longest, during] = [0, 0, 0, 0, 0, ""];
    const lags = new Map<string, number>();
    const wrongs = new Map<number, string>();
    for (const { from, to, truth, agent } of this.#pieces()) {
      const time = to - from;
      const isRight = truth.states.includes(agent.state);
      const isWrong = !isRight && agent.no_news_since === undefined && truth.states.length > 0;
      stretch = isWrong ? stretch + time : 0;
      if (truth.states.length === 0) continue;
      total += time;
      if (isWrong) wrong += time;
      else if (!isRight) unknown += time;
      const began = to - stretch;
      if (stretch > TOLD_MILLISECONDS) wrongs.set(began, this.#wrong(began, stretch, agent, truth));
      if (stretch > longest) [longest, during] = [stretch, truth.what];
      lags.set(truth.what, Math.max(lags.get(truth.what) ?? 0, stretch));
    }
    const right = total === 0 ? 0 : (total - wrong - unknown) / total;
    return {
      total,
      wrong,
      right,
      unknown,
      longest,
      during,
      lags,
      wrongs: [...wrongs.values()],
      last: this.last(),
    };
  }

  /** What is said counts until something else is said. */
  #pieces(): readonly Piece[] {
    const ended = Date.now();
    return this.#samples.flatMap(({ at, agent }, number) => {
      const next = this.#samples[number + 1]?.at ?? ended;
      if (agent === undefined) return [];
      return this.#truths.flatMap((truth, place) => {
        const from = Math.max(at, truth.from);
        const to = Math.min(next, this.#truths[place + 1]?.from ?? ended);
        return from < to ? [{ from, to, truth, agent }] : [];
      });
    });
  }

  #wrong(began: number, stretch: number, { state, source, since }: AgentStatus, { what }: Truth): string {
    const start = this.#truths[0]?.from ?? began;
    const seconds = (time: number): string => `${(time / 1000).toFixed(1)} s`;
    const age = seconds(began - Date.parse(since));
    return `at ${seconds(began - start)} for ${seconds(stretch)}: ${state} (${source}, ${age} old) while it ${what}`;
  }
}

/** Adds lines about a scenario to the file that TENTERHOOK_STATES_TABLE names: the table in the guide is made of them. */
export function note(title: string, { total, right, unknown, longest, lags, wrongs, last }: Match): void {
  const file = process.env.TENTERHOOK_STATES_TABLE;
  if (file === undefined) return;
  const seconds = (value: number): string => (value / 1000).toFixed(1);
  const cells = [title, last?.state, last?.source, `${(100 * right).toFixed(1)} %`, `${seconds(longest)} s`];
  const times = `${seconds(unknown)} s unknown of ${seconds(total)} s`;
  const each = [...lags].map(([what, lag]) => `${what} ${seconds(lag)} s`).join(", ");
  const told = wrongs.map((wrong) => `  ${wrong}\n`).join("");
  appendFileSync(file, `| ${cells.join(" | ")} | ${times} | ${each} |\n${told}`);
}
