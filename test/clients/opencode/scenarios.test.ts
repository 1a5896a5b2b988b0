import { OPENCODE } from "../support/opencode.ts";
import { clientSuite } from "../support/scenarios.ts";

clientSuite(OPENCODE, {
  deny: "holds",
  rewrite: "holds",
  two_rewrites: "holds",
  context: "holds",
  prompt_block: "holds",
  stop: "holds",
  stop_ceiling: "holds",
  hang: "holds",
  crash: "holds",
  garbage: "holds",
  program_missing: "holds",
  program_broken: "holds",
  subagent: "holds",
  subdirectory: "holds",
  ask: "holds",
});
