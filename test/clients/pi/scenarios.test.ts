import { expect } from "vitest";
import { PI } from "../support/pi.ts";
import { clientSuite } from "../support/scenarios.ts";

clientSuite(PI, {
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
  subagent: { instead: "has no subagents", check: ({ made }) => expect(made).toBe(false) },
  subdirectory: "holds",
  ask: "holds",
});
