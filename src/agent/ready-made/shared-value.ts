import type { HookContext } from "../../core/ports.ts";

/** A typed entry of the map that hooks of a run share. */
export interface Value<T> {
  get(context: Pick<HookContext, "values">): T | undefined;
  set(context: Pick<HookContext, "values">, value: T): void;
}

/**
 * Names a value that hooks of a run share, with its type. In the map it has the same name.
 *
 * @example
 * const edits = sharedValue<number>("edits");
 * hooks.on("PostToolUse", (_event, context) => edits.set(context, (edits.get(context) ?? 0) + 1));
 */
export function sharedValue<T>(name: string): Value<T> {
  const byRun = new WeakMap<Map<string, unknown>, T>();
  return {
    get: ({ values }) => byRun.get(values),
    set: ({ values }, value) => {
      byRun.set(values, value);
      values.set(name, value);
    },
  };
}

/** The map that all hooks of a run share. */
export type Values = HookContext["values"];
