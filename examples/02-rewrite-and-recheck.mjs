// Rewrite a call's input. Rewrites chain in order, and a gate that passed the old input is asked about the new one.
import { createHooks, deny, rewrite } from "tenterhook";

const hooks = createHooks();

hooks.on("PreToolUse", { name: "protect-production", priority: 1 }, ({ tool_input }) =>
  tool_input.database === "production" ? deny("Not on production.") : undefined,
);
hooks.on("PreToolUse", { name: "resolve-alias", priority: 2 }, ({ tool_input }) =>
  tool_input.database === "prod" ? rewrite((input) => ({ ...input, database: "production" })) : undefined,
);

for (const database of ["staging", "prod"]) {
  const decision = await hooks.fire({
    hook_event_name: "PreToolUse",
    session_id: "example",
    cwd: process.cwd(),
    tool_name: "query",
    tool_input: { database, sql: "DELETE FROM users" },
  });
  console.log(`${database} -> ${decision.action}${decision.reason ? `: ${decision.reason}` : ""}`);
  for (const run of decision.runs) console.log(`  ${run.name}${run.recheck ? " (recheck)" : ""}`);
}
