import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";

/** A provider that keeps its spans in memory, and ways to read them. */
export function recordedSpans() {
  const exporter = new InMemorySpanExporter();
  const begun: string[] = [];
  const order: SpanProcessor = {
    onStart: (span) => {
      begun.push(span.spanContext().spanId);
    },
    onEnd: () => {},
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const provider = new BasicTracerProvider({ spanProcessors: [order, new SimpleSpanProcessor(exporter)] });
  const place = (span: ReadableSpan): number => begun.indexOf(span.spanContext().spanId);
  const spans = (): readonly ReadableSpan[] =>
    exporter.getFinishedSpans().toSorted((first, second) => place(first) - place(second));
  const tree = (parent?: string, indent = ""): readonly string[] =>
    spans()
      .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)
      .flatMap((span) => [
        `${indent}${span.name}${failureIn(span)}`,
        ...tree(span.spanContext().spanId, `${indent}  `),
      ]);
  const named = (name: string): ReadableSpan => {
    const span = spans().find((one) => one.name === name);
    if (span === undefined) throw new Error(`There is no span ${name}.`);
    return span;
  };
  /** How many spans were started and have not ended. */
  const open = (): number => begun.length - exporter.getFinishedSpans().length;
  return { provider, tracer: provider.getTracer("test"), spans, tree: () => tree(), named, open };
}

function failureIn({ status, attributes }: ReadableSpan): string {
  return status.code === 2 ? ` failed: ${String(attributes["error.type"])}` : "";
}
