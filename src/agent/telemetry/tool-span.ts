import { currentScope, within } from "./scope.ts";

/** Runs a tool in the span of its call if the run is traced: what it starts, a subagent too, is below. */
export function inToolSpan<Result>(tool_use_id: string, run: () => Result): Result {
  const scope = currentScope();
  const open = scope?.spans?.tools.get(tool_use_id);
  return scope === undefined || open === undefined ? run() : within({ ...scope, context: open.context }, run);
}
