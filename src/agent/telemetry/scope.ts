import { AsyncLocalStorage } from "node:async_hooks";
import type { SpanAttributes, TelemetryApi, TelemetrySpan, TelemetryTracer } from "./api.ts";

/** A span, and the context in which its children start. */
export interface OpenSpan {
  readonly span: TelemetrySpan;
  readonly context: object;
}

export interface RunSpans {
  /** By the id of the call. They stay until the run ends: an async hook may begin after its call has ended. */
  readonly tools: Map<string, OpenSpan>;
  /** Those that are open, by the id of the hook's run. */
  readonly hooks: Map<string, OpenSpan>;
}

/** Where the program is in the tree of spans. */
export interface Scope {
  readonly api: TelemetryApi;
  readonly tracer: TelemetryTracer;
  readonly context: object;
  /** Absent when the run is not recorded. */
  readonly spans: RunSpans | undefined;
}

/**
 * A store of our own: the API has contexts that follow asynchronous work only if the program has registered a manager for
 * them.
 */
const scopes = new AsyncLocalStorage<Scope | undefined>();

/** The current place in the tree; `undefined` outside of a traced run. */
export function currentScope(): Scope | undefined {
  return scopes.getStore();
}

/** Does work in a place of the tree. Spans that other libraries start in it are below, too. */
export function within<Result>(scope: Scope, work: () => Result): Result {
  return scopes.run(scope, () => scope.api.context.with(scope.context, work));
}

/** Does the work of an agent without telemetry, which may be part of a traced run: a hook may ask an agent. */
export function outside<Result>(work: () => Result): Result {
  return scopes.getStore() === undefined ? work() : scopes.run(undefined, work);
}

/** The context that new spans belong to: that of the program's own span if there is one, else ours. */
export function parentContext({ context, ROOT_CONTEXT }: TelemetryApi): object {
  const active = context.active();
  return active === ROOT_CONTEXT ? (scopes.getStore()?.context ?? active) : active;
}

/** OpenTelemetry's `SpanKind`. */
const INTERNAL = 0;
export const CLIENT = 2;

/** OpenTelemetry's `SpanStatusCode.ERROR`. */
const ERROR = 2;

export function openSpan(
  { api, tracer, context }: Pick<Scope, "api" | "tracer" | "context">,
  name: string,
  attributes: SpanAttributes,
  kind: number = INTERNAL,
): OpenSpan {
  const span = tracer.startSpan(name, { kind, attributes }, context);
  return { span, context: api.trace.setSpan(context, span) };
}

/** Marks a span as failed. The message must hold nothing of a prompt, an input or a result. */
export function failSpan(span: TelemetrySpan, type: string, message?: string): void {
  span.setAttributes({ "error.type": type });
  span.setStatus(message === undefined ? { code: ERROR } : { code: ERROR, message });
}

/** Runs a tool in the span of its call if the run is traced: what it starts, a subagent too, is below. */
export function inToolSpan<Result>(tool_use_id: string, run: () => Result): Result {
  const scope = currentScope();
  const open = scope?.spans?.tools.get(tool_use_id);
  return scope === undefined || open === undefined ? run() : within({ ...scope, context: open.context }, run);
}
