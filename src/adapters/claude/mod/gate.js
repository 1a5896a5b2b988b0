import { actsItself } from "./acting.js";
import { askWhetherAllowed, judge, report } from "./asking.js";
import { argumentsIn, leftOut, sameInput } from "./question.js";

/*
 * The last gate, which sees the input that runs. The settings hook beside it is asked first and waits for people; this one
 * asks what was decided, and has another input judged.
 */

/**
 * @import { CheckedCall, Engine, Fields, Next, Permission, Registered, ToolCall, Verdict } from "./claude-mods.ts"
 */

/**
 * What was decided about the calls under way.
 *
 * @type {Map<string, { readonly input: Fields, readonly verdict: Verdict }>}
 */
const decided = new Map();

/**
 * What is to run in the place of calls that ended without.
 *
 * @type {Map<string, Fields>}
 */
const rewrites = new Map();

/**
 * @param {Engine} $
 * @param {Fields} e
 * @param {Next<Fields, unknown>} next
 */
export async function reportLoaded($, e, next) {
  await report($);
  return next(e);
}

/**
 * Leaves out the module of a plug-in that acts itself, which makes no call that a gate sees, unless it was allowed.
 *
 * @param {Engine} $
 * @param {Registered} e
 * @param {Next<Registered, unknown>} next
 */
export async function judgePlugin($, e, next) {
  const { name, root, provides } = e;
  if ((provides?.modules ?? []).length === 0 || !actsItself(e)) return next(e);
  const { isAllowed, id } = await askWhetherAllowed($, name, root);
  if (isAllowed) return next(e);
  $.ui.toast(leftOut(name, id));
  return next({ ...e, provides: { ...provides, modules: [] } });
}

/**
 * Runs a call again with the input that our hooks gave it, where somebody has dropped that.
 *
 * @param {Engine} _
 * @param {ToolCall} e
 * @param {Next<ToolCall, unknown>} next
 */
export async function runRewritten(_, e, next) {
  const { tool, tool_use_id, agentId } = e;
  try {
    const result = await next(e);
    const input = rewrites.get(tool_use_id);
    if (input === undefined) return result;
    return await next({ ...input, tool, tool_use_id, ...(agentId === undefined ? {} : { agentId }) });
  } finally {
    rewrites.delete(tool_use_id);
    decided.delete(tool_use_id);
  }
}

/**
 * @param {Engine} $
 * @param {CheckedCall} e
 * @param {Next<CheckedCall, Permission>} next
 * @returns {Promise<Permission>}
 */
export async function check($, e, next) {
  const { tool, tool_use_id, agentId, input } = e;
  // It is judged when it runs.
  if (tool_use_id === undefined) return next(e);
  const verdict = await judge($, { tool, tool_use_id, agentId, input });
  decided.set(tool_use_id, { input, verdict });
  const { action } = verdict;
  if (action === "deny") return { decision: "deny", reason: verdict.reason };
  if (action === "rewrite") return { decision: "deny", reason: runsInstead(tool_use_id, verdict.input) };
  const below = await next(e);
  return action === "ask" && below.decision !== "deny" ? { decision: "ask", reason: verdict.reason } : below;
}

/**
 * @param {Engine} $
 * @param {ToolCall} e
 * @param {Next<ToolCall, unknown>} next
 */
export async function run($, e, next) {
  const { tool, tool_use_id, agentId } = e;
  const before = decided.get(tool_use_id);
  const isChecked = before !== undefined && sameInput(before.input, e);
  const input = argumentsIn(e);
  const verdict = isChecked ? before.verdict : await judge($, { tool, tool_use_id, agentId, input });
  const { action } = verdict;
  // Somebody was asked, and has agreed.
  if (action === "pass" || (action === "ask" && isChecked)) return next(e);
  if (action === "rewrite") return { deny: runsInstead(tool_use_id, verdict.input) };
  return { deny: verdict.reason };
}

/**
 * @param {string} tool_use_id
 * @param {Fields} input
 */
function runsInstead(tool_use_id, input) {
  rewrites.set(tool_use_id, input);
  return "A hook of Tenterhook has rewritten this call, which runs as it is rewritten.";
}

const FAILED = "Tenterhook could not decide about this, so it is refused.";

/** @returns {Permission} */
export function denyCheck() {
  return { decision: "deny", reason: FAILED };
}

/**
 * @template Event
 * @param {Engine} _
 * @param {Event} e
 * @param {Next<Event, unknown>} next
 * @returns {unknown}
 */
export function refuse(_, e, next) {
  return next.called ? next(e) : { deny: FAILED };
}

/**
 * @param {Engine} _
 * @param {Registered} e
 * @param {Next<Registered, unknown>} next
 * @returns {unknown}
 */
export function refusePlugin(_, e, next) {
  return next.called ? next(e) : { refuse: FAILED };
}
