/** Attributes of a span. */
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
