// Our loop in the loop benchmark: a scripted model that calls a tool n times and then says done.
import { createHooks } from "tenterhook";
import { Agent } from "tenterhook/agent";

const COUNTED = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
const USAGE = { inputTokens: COUNTED, outputTokens: { total: 1, text: 1, reasoning: 0 } };
const NO_USAGE = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/**
 * A stream as every provider gives one, filled already.
 *
 * @type {Stream}
 */
export function platformStream(pieces) {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

/**
 * The same pieces from an async generator, as a model of one's own may answer. The peer's model has a stream of the peer's
 * own, too.
 *
 * @type {Stream}
 */
export async function* generatedStream(pieces) {
  for (const piece of pieces) yield piece;
}

/** @typedef {(pieces: readonly import("@ai-sdk/provider").LanguageModelV3StreamPart[]) => import("tenterhook/agent").ModelStream} Stream */

/**
 * @param {number} n
 * @param {Stream} streamOf
 * @param {typeof USAGE | typeof NO_USAGE} usage
 * @returns {import("tenterhook/agent").AgentModel}
 */
function callingModel(n, streamOf, usage) {
  let turn = 0;
  /** @type {import("@ai-sdk/provider").LanguageModelV3StreamPart} */
  const finish = { type: "finish", usage, finishReason: { unified: "stop", raw: "stop" } };
  return {
    provider: "fake",
    modelId: "fake",
    doStream: async () => {
      const call = turn;
      turn += 1;
      /** @type {import("@ai-sdk/provider").LanguageModelV3StreamPart} */
      const said =
        call < n
          ? { type: "tool-call", toolCallId: `c${call}`, toolName: "echo", input: `{"text":"x${call}"}` }
          : { type: "text-delta", id: "t", delta: "done" };
      return { stream: streamOf([said, finish]) };
    },
  };
}

/**
 * Makes a run of n tool calls with so many async hooks before and after each. The hooks are attached once, as the peer's
 * are; the agent, its model and its tool are made for each run, as the peer's are. The default options hold: every event
 * of a round passes the engine, each of the hooks' runs has its record, nothing is stored.
 *
 * @param {{ n: number, hooks: number, mark: () => void, hook: () => void, options?: Partial<import("tenterhook/agent").AgentOptions>, done?: (agent: Agent) => void, result?: string, streamOf?: Stream, counts?: boolean }} options
 * @returns {() => Promise<number>} answers how many tool calls there were
 */
export function ourLoop({
  n,
  hooks: count,
  mark,
  hook,
  options = {},
  done = () => {},
  result = "",
  streamOf = platformStream,
  counts = true,
}) {
  const hooks = createHooks();
  for (let number = 0; number < count; number += 1) {
    hooks.on("PreToolUse", async () => hook());
    hooks.on("PostToolUse", async () => hook());
  }
  return async () => {
    let calls = 0;
    /** @type {import("tenterhook/agent").Tool} */
    const echo = {
      name: "echo",
      description: "echo",
      input_schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      annotations: { read_only: true },
      run: async ({ text }) => {
        mark();
        calls += 1;
        return { content: `${String(text)}${result}` };
      },
    };
    const agent = new Agent({
      model: callingModel(n, streamOf, counts ? USAGE : NO_USAGE),
      tools: [echo],
      hooks,
      system_prompt: "x",
      limits: { iterations: n + 1 },
      // The peer has no permissions.
      permissions: { check: () => ({ action: "allow" }) },
      ...options,
    });
    await agent.run("go");
    done(agent);
    await agent.close();
    return calls;
  };
}
