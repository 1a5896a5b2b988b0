import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, type ContextManager, context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { AlwaysOffSampler, BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import type { Tool } from "tenterhook/agent";
import { afterEach, expect, it } from "vitest";
import { agentOf, echo, says } from "../support/agents.ts";
import { recordedSpans } from "./recorded-spans.ts";

/** A manager as programs register it. */
class Contexts implements ContextManager {
  readonly #store = new AsyncLocalStorage<Context>();

  active(): Context {
    return this.#store.getStore() ?? ROOT_CONTEXT;
  }

  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    active: Context,
    work: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#store.run(active, () => work.call(thisArg, ...args));
  }

  bind<T>(_context: Context, target: T): T {
    return target;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    return this;
  }
}

afterEach(() => {
  trace.disable();
  context.disable();
});

const steps = [{ tool_calls: [says("a")] }, { text: "Fine." }];

it("telemetry: true uses the provider and the contexts that the program has registered", async () => {
  const { provider, tree, named } = recordedSpans();
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new Contexts());
  const own = trace.getTracer("program");
  const run: Tool["run"] = async () => {
    own.startSpan("query").end();
    return { content: "a" };
  };
  const { agent } = agentOf(steps, { tools: [{ ...echo, run }], telemetry: true });
  await own.startActiveSpan("request", async (span) => {
    await agent.run("Go.");
    span.end();
  });
  expect(tree()).toEqual([
    "request",
    "  invoke_agent main",
    "    chat script",
    "    execute_tool Echo",
    "      query",
    "    chat script",
  ]);
  expect(named("invoke_agent main").instrumentationScope.name).toBe("tenterhook");
});

it("without a provider nothing is recorded, and nobody listens to the run", async () => {
  const { agent, hooks } = agentOf(steps, { telemetry: true });
  let listened = 0;
  const { observe } = hooks;
  Object.assign(hooks, {
    observe: (observer: Parameters<typeof observe>[0]) => {
      listened += 1;
      return observe(observer);
    },
  });
  expect(await agent.run("Go.")).toMatchObject({ text: "Fine.", stop_reason: "complete" });
  expect(listened).toBe(0);
});

it("a run that the sampler leaves out passes its context on", async () => {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ sampler: new AlwaysOffSampler() }));
  context.setGlobalContextManager(new Contexts());
  let flags: number | undefined;
  const run: Tool["run"] = async () => {
    flags = trace.getActiveSpan()?.spanContext().traceFlags;
    return { content: "a" };
  };
  const { agent } = agentOf(steps, { tools: [{ ...echo, run }], telemetry: true });
  await agent.run("Go.");
  expect(flags).toBe(0);
});
