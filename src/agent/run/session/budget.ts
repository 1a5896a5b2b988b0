import { modelName } from "../../model/agent-model.ts";
import type { UsageTotals } from "../../model/usage.ts";
import type { Budget } from "../../options.ts";
import { TurnEnded } from "../../turn-ended.ts";
import type { AgentSession } from "./session.ts";
import type { Spending, Spent } from "./state.ts";

export function newSpending(before: UsageTotals): Spending {
  const session = { tokens: 0, cost_usd: 0 };
  addSpent(session, before);
  return { session, run: undefined };
}

/** Counts what a model call has used, for the session and for the run. */
export function spend({ session, run }: Spending, usage: UsageTotals): void {
  addSpent(session, usage);
  if (run !== undefined) addSpent(run.spent, usage);
}

export function beginSpending(session: AgentSession, limits: Partial<Budget> = {}): void {
  session.spending.run = { spent: { tokens: 0, cost_usd: 0 }, limits };
}

function addSpent(spent: Spent, { total_tokens, cost_usd = 0 }: UsageTotals): void {
  spent.tokens += total_tokens;
  spent.cost_usd += cost_usd;
}

/**
 * Ends the turn when a budget is used up. Called before each request, so the last answer may exceed it.
 *
 * @throws TurnEnded `budget`: the turn stays open; `error` when a cost is limited and the model has no known price.
 */
export function mustBeInBudget(session: AgentSession): void {
  const { limits, spending } = session;
  const { run } = spending;
  const reason =
    (run && exceeded("run", run.spent, run.limits)) ?? exceeded("session", spending.session, limits);
  if (reason !== undefined) throw new TurnEnded("budget", reason);
  if (Math.min(limits.cost_usd, run?.limits.cost_usd ?? limits.cost_usd) < Number.POSITIVE_INFINITY)
    mustHavePrice(session);
}

function exceeded(whose: string, spent: Spent, limits: Partial<Budget>): string | undefined {
  const { tokens = Number.POSITIVE_INFINITY, cost_usd = Number.POSITIVE_INFINITY } = limits;
  if (spent.tokens >= tokens) return `The ${whose} has used ${spent.tokens} tokens; its limit is ${tokens}.`;
  if (spent.cost_usd < cost_usd) return undefined;
  return `The ${whose} has cost ${dollars(spent.cost_usd)}; its limit is ${dollars(cost_usd)}.`;
}

function dollars(amount: number): string {
  return `$${Number(amount.toPrecision(6))}`;
}

const NOTHING = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

function mustHavePrice({ model, options }: AgentSession): void {
  if (model === undefined) return;
  const name = modelName(model);
  if (options.price?.(name, NOTHING) !== undefined) return;
  throw new TurnEnded(
    "error",
    `The price of ${name} is unknown, so its cost can't be limited. Limit tokens instead, or give the agent the option price.`,
    { error_type: "unknown_price" },
  );
}
