// An event of your own: the compiler knows its fields, and what hooks may do.
import { context, createHooks, deny } from "tenterhook";

declare module "tenterhook" {
  interface CustomEvents {
    "custom:deploy": { fields: { target: "staging" | "production" }; effects: "deny" | "context" };
  }
}

const hooks = createHooks();
hooks.declare("custom:deploy", { effects: ["deny", "context"], requires: ["target"] });
hooks.on("custom:deploy", ({ target }) =>
  target === "production" ? deny("Ask the team first.") : context(`Deploying to ${target}.`),
);

for (const target of ["staging", "production"] as const) {
  const {
    action,
    reason,
    context: added,
  } = await hooks.fire({
    hook_event_name: "custom:deploy",
    session_id: "deploys",
    cwd: process.cwd(),
    target,
  });
  console.log(`${target}: ${action} ${reason ?? added.map(({ text }) => text).join()}`);
}
