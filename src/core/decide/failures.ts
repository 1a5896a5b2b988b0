import type { Decision } from "./decision.ts";
import { absorbAbort } from "./merge.ts";
import type { Pass } from "./run-plan.ts";

/** What an Error event says of something that went wrong inside the engine. */
export interface RaisedError {
  readonly error_type: string;
  readonly error_message: string;
}

/** Fires an Error event about what is being decided. */
export type Raise = (pass: Pass, error: RaisedError) => Promise<Decision>;

/** Raises an Error event for each hook that failed, once. The failure of an Error hook raises none. */
export async function raiseFailures(pass: Pass, raise: Raise): Promise<void> {
  for (const { hook, failure } of pass.tally.failures) {
    await raiseError(pass, raise, {
      error_type: `hook_${failure.kind}`,
      error_message: `Hook "${hook.hook.name}" failed on ${pass.scope.known.name} (${failure.kind}): ${failure.message}`,
    });
  }
}

/** Raises one Error event; what its hooks tell the user, and whether they end the run, joins the decision. */
export async function raiseError(pass: Pass, raise: Raise, error: RaisedError): Promise<void> {
  const { scope, tally } = pass;
  if (scope.known.name === "Error") return;
  const decision = await raise(pass, error);
  tally.userMessages.push(...decision.user_messages);
  if (decision.abort !== undefined) absorbAbort(tally, decision.abort);
}
