import { readFileSync } from "node:fs";
import { createOpenAI } from "@ai-sdk/openai";
import type { Clock } from "tenterhook";
import { type AgentResult, openModel } from "tenterhook/agent";
import { systemClock } from "tenterhook/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { MODEL_FAILURES } from "../../src/agent/model/failure.ts";
import { type ModelServer, type Reply, startModelServer } from "../../src/know/prove/model/model-server.ts";
import { OPENAI_CHAT } from "../../src/know/prove/model/openai-chat-server.ts";
import { chosen } from "../support/long.ts";
import { SERVED_MODELS } from "../support/model-servers/servers.ts";
import { agentOf, story } from "./support/agents.ts";

/** Every protocol, by each way our users reach it. */
const PROTOCOLS = [
  ...SERVED_MODELS.map(([name, { protocol, model, environment }]) => ({
    name,
    protocol,
    open: (server: ModelServer) => openModel(model, { environment: environment(server) }),
  })),
  {
    name: "OpenAI's chat completions",
    protocol: OPENAI_CHAT,
    open: async ({ url, key }: ModelServer) => createOpenAI({ baseURL: url, apiKey: key }).chat("gpt-5-mini"),
  },
  {
    name: "a compatible server at an address",
    protocol: OPENAI_CHAT,
    open: ({ url, key }: ModelServer) =>
      openModel(`openai-compatible:${url}/local`, { environment: { OPENAI_COMPATIBLE_API_KEY: key } }),
  },
];

const TEXT = "An answer in so many words that it comes in many pieces, of which the last may be missing.";
const never = new Promise<never>(() => {});
const refusedWith = (status: number, message: string): Reply => ({ error: { status, message } });

interface Failure {
  readonly reply: Reply;
  readonly error_type: string;
  /** False: another try would fail too, so there is none. */
  readonly retried: boolean;
  /** True: the time for an answer is over soon after the request. */
  readonly waits?: true;
}

/** What can go wrong with an answer, and what becomes of it. */
const FAILURES: Readonly<Record<string, Failure>> = {
  "whose connection breaks": { reply: { text: TEXT, cut: true }, error_type: "network", retried: true },
  "that ends in the middle": { reply: { text: TEXT, cut: "ends" }, error_type: "stream_cut", retried: true },
  "with an event that is not JSON": {
    reply: { text: TEXT, cut: "garbled" },
    error_type: "invalid_response",
    retried: true,
  },
  "whose stream says that the server is overloaded": {
    reply: { text: TEXT, cut: "fails" },
    error_type: "overloaded",
    retried: true,
  },
  "that is a page of HTML": {
    reply: { body: "<html>Log in</html>" },
    error_type: "stream_cut",
    retried: true,
  },
  "that has no bytes": { reply: { body: "" }, error_type: "stream_cut", retried: true },
  "that does not begin": {
    reply: { text: TEXT, after: never },
    error_type: "response_timeout",
    retried: true,
    waits: true,
  },
  "that stalls": {
    reply: { text: TEXT, cut: "stalls" },
    error_type: "response_timeout",
    retried: true,
    waits: true,
  },
  "with the status 401": {
    reply: refusedWith(401, "The key is not valid."),
    error_type: "authentication",
    retried: false,
  },
  "with the status 402": {
    reply: refusedWith(402, "Your credit balance is too low."),
    error_type: "billing",
    retried: false,
  },
  "with the status 404": {
    reply: refusedWith(404, "There is no such model."),
    error_type: "model_not_found",
    retried: false,
  },
  "with the status 429": {
    reply: refusedWith(429, "Too many requests."),
    error_type: "rate_limit",
    retried: true,
  },
  "with the status 500": { reply: refusedWith(500, "Broken."), error_type: "server_error", retried: true },
  "with the status 529": { reply: refusedWith(529, "Overloaded."), error_type: "overloaded", retried: true },
  "that says the prompt is too long": {
    reply: refusedWith(400, "prompt is too long: maximum context length is 8192 tokens"),
    error_type: "context_overflow",
    retried: false,
  },
};

const NO_QUOTA: Reply = {
  error: { status: 429, message: "You exceeded your current quota.", code: "insufficient_quota" },
};
const NO_CREDIT: Readonly<Record<string, Reply>> = {
  Anthropic: refusedWith(400, "Your credit balance is too low to access the Anthropic API."),
};

const LONG = 300_000;

/** A clock on which nobody waits long before another try; and with a server, on which the time for its first answer is over soon. */
function clockOf(server?: ModelServer): Clock {
  let first = server?.nextRequest();
  const after = (milliseconds: number, call: () => void): (() => void) => {
    if (milliseconds < LONG) return systemClock.after(1, call);
    if (first === undefined) return systemClock.after(milliseconds, call);
    let cancel = (): void => {};
    void first.then(() => {
      cancel = systemClock.after(30, call);
    });
    first = undefined;
    return () => cancel();
  };
  return { ...systemClock, after };
}

interface Played {
  readonly result: AgentResult;
  /** What listeners heard of failures: the type, and whether another try follows. */
  readonly errors: readonly unknown[];
  readonly lines: readonly string[];
}

it("the guide lists every type of failure", () => {
  const guide = readFileSync(new URL("../../docs/guides/models.md", import.meta.url), "utf8");
  const rows = [...guide.matchAll(/^\| `(\w+)` \| .* \| (?:yes|no|if it was malformed) \|$/gm)];
  expect(rows.map(([, name]) => name).sort()).toEqual(Object.keys(MODEL_FAILURES).sort());
});

const ALL_FAILURES = Object.entries(FAILURES);
/** In `npm test` every protocol meets each way to break a stream, and every second of the other failures. */
function failuresOf(name: string): typeof ALL_FAILURES {
  const place = PROTOCOLS.findIndex((one) => one.name === name);
  const some = ALL_FAILURES.filter(([, { reply }], at) => "cut" in reply || at % 2 === place % 2);
  return [...chosen(some, ALL_FAILURES)];
}

describe.each(PROTOCOLS)("an answer of $name", ({ name, protocol, open }) => {
  async function played(replies: readonly Reply[], waits = false): Promise<Played> {
    const server = await startModelServer(protocol, replies);
    onTestFinished(() => server.close());
    const { agent } = agentOf([], {
      model: await open(server),
      ports: { clock: clockOf(waits ? server : undefined) },
      limits: { model_retries: 1 },
    });
    const errors: unknown[] = [];
    const result = await agent.run("go", {
      onItem: (item) =>
        item.type === "error" && errors.push([item.error_type, item.retry_in_ms !== undefined]),
    });
    return { result, errors, lines: story(agent.transcript()) };
  }

  it.each(failuresOf(name))("%s", async (_, { reply, error_type, retried, waits }) => {
    const { result, errors, lines } = await played([reply, { text: "The whole answer." }], waits);
    if (retried) {
      expect([result.stop_reason, result.text, errors]).toEqual([
        "complete",
        "The whole answer.",
        [[error_type, true]],
      ]);
      // Nothing of the failed answer stays.
      expect(lines).toEqual(["user text: go", "assistant text: The whole answer."]);
    } else {
      expect([result.stop_reason, result.error?.error_type, errors]).toEqual([
        "error",
        error_type,
        [[error_type, false]],
      ]);
    }
  });

  it("that the model refuses", async () => {
    const { result, errors } = await played([{ text: "I can't.", ends: "refused" }]);
    expect([result.stop_reason, result.finish_reason, errors]).toEqual(["refused", "refusal", []]);
  });

  it("that is empty is an answer, and the next request has no empty message", async () => {
    const server = await startModelServer(protocol, [{}, { text: "Here I am." }]);
    onTestFinished(() => server.close());
    const { agent } = agentOf([], { model: await open(server) });
    expect(await agent.run("go")).toMatchObject({ text: "", stop_reason: "complete", finish_reason: "stop" });
    expect(await agent.run("and?")).toMatchObject({ text: "Here I am.", stop_reason: "complete" });
    expect(JSON.stringify(server.requests[1]?.body)).not.toMatch(/"(?:content|parts|text)":(?:""|\[\]|null)/);
  });

  // A wait does not help, though some send the status of a rate limit.
  if (name !== "Gemini")
    it("of a provider to whom the user owes money", async () => {
      const { result, errors } = await played([NO_CREDIT[name] ?? NO_QUOTA]);
      expect([result.stop_reason, errors]).toEqual(["error", [["billing", false]]]);
    });

  it("of a server that is not there", async () => {
    const server = await startModelServer(protocol, []);
    const model = await open(server);
    await server.close();
    const { agent } = agentOf([], { model, ports: { clock: clockOf() }, limits: { model_retries: 1 } });
    const result = await agent.run("go");
    expect([result.stop_reason, result.error?.error_type]).toEqual(["error", "network"]);
  });
});
