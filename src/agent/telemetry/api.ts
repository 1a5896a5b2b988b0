import { TenterhookError } from "../../core/base/errors.ts";
import { importOptional, installHint } from "../../node/optional-package.ts";
import type { TelemetrySpan, TelemetryTracer } from "./port.ts";

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
