// The loop of pi in the loop benchmark, with hooks by its own means: one slot before and one after, so ten hooks are a
// loop of the user's.

/**
 * The part of the peer that is used; the package itself is not there by default.
 *
 * @typedef {{
 *   Agent: new (options: object) => { prompt(text: string): Promise<unknown> },
 *   createAssistantMessageEventStream: () => { push(event: object): void },
 *   Type: { Object(fields: object): object, String(): object },
 * }} Pi
 */

const COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const USAGE = {
  input: 1,
  output: 1,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 2,
  cost: { ...COST, total: 0 },
};
const MODEL = {
  id: "fake",
  name: "fake",
  api: "fake",
  provider: "fake",
  baseUrl: "",
  reasoning: false,
  input: ["text"],
  cost: COST,
  contextWindow: 1e6,
  maxTokens: 1e4,
};

/**
 * @param {Pi} pi
 * @param {{ n: number, hooks: number, mark: () => void, hook: () => void }} options
 * @returns {() => Promise<number>} answers how many tool calls there were
 */
export function piLoop({ Agent, createAssistantMessageEventStream, Type }, { n, hooks, mark, hook }) {
  const before = Array.from({ length: hooks }, () => async () => hook());
  const after = Array.from({ length: hooks }, () => async () => hook());
  return async () => {
    let turn = 0;
    let calls = 0;
    const streamFn = () => {
      const stream = createAssistantMessageEventStream();
      const base = { role: "assistant", api: "fake", provider: "fake", model: "fake", usage: USAGE };
      const call = turn;
      turn += 1;
      const message = {
        ...base,
        timestamp: Date.now(),
        stopReason: call < n ? "toolUse" : "stop",
        content: [
          call < n
            ? { type: "toolCall", id: `c${call}`, name: "echo", arguments: { text: `x${call}` } }
            : { type: "text", text: "done" },
        ],
      };
      queueMicrotask(() => {
        stream.push({ type: "start", partial: message });
        stream.push({ type: "done", reason: message.stopReason, message });
      });
      return stream;
    };
    const echo = {
      name: "echo",
      label: "echo",
      description: "echo",
      parameters: Type.Object({ text: Type.String() }),
      execute: async (/** @type {string} */ _, /** @type {{ text: string }} */ { text }) => {
        mark();
        calls += 1;
        return { content: [{ type: "text", text }], details: undefined };
      },
    };
    const agent = new Agent({
      streamFn,
      initialState: { systemPrompt: "x", model: MODEL, tools: [echo] },
      beforeToolCall: async () => {
        for (const run of before) await run();
        return undefined;
      },
      afterToolCall: async () => {
        for (const run of after) await run();
        return undefined;
      },
    });
    await agent.prompt("go");
    return calls;
  };
}
