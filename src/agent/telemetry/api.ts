import { TenterhookError } from "../../core/base/errors.ts";
import { importOptional, installHint } from "../../node/optional-package.ts";

/** What a span says about itself. */
export type SpanAttributes = Record<string, string | number | boolean | string[]>;

/** What the agent needs of a span: every span of `@opentelemetry/api` is one. */
export interface TelemetrySpan {
  setAttributes(attributes: SpanAttributes): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  recordException(exception: Error): unknown;
  isRecording(): boolean;
  end(): void;
}

/** What starts spans: every tracer of `@opentelemetry/api` does. */
export interface TelemetryTracer {
  startSpan(
    name: string,
    options?: { kind?: number; attributes?: SpanAttributes },
    context?: object,
  ): TelemetrySpan;
}

/** Where spans of OpenTelemetry go: `true` for the provider that the program has registered, or a tracer. */
export type Telemetry = boolean | { readonly tracer: TelemetryTracer };

/** The part of `@opentelemetry/api` that spans need. */
export interface TelemetryApi {
  readonly ROOT_CONTEXT: object;
  readonly context: {
    active(): object;
    with<Result>(context: object, work: () => Result): Result;
  };
  readonly trace: {
    getTracer(name: string, version: string): TelemetryTracer;
    setSpan(context: object, span: TelemetrySpan): object;
  };
}

/**
 * Loads the package when the first traced run begins.
 *
 * @throws TenterhookError `invalid_option` when it is not installed.
 */
export async function loadApi(): Promise<TelemetryApi> {
  return importOptional("@opentelemetry/api").catch((cause: unknown) => {
    throw new TenterhookError("invalid_option", "The option telemetry needs OpenTelemetry's API.", {
      hint: `${installHint("@opentelemetry/api")}.`,
      cause,
    });
  });
}
