import { expect } from "vitest";
import { CURSOR } from "../support/cursor.ts";
import { clientSuite } from "../support/scenarios.ts";

clientSuite(CURSOR, {
  deny: "holds",
  rewrite: "holds",
  two_rewrites: "holds",
  context: {
    instead: "takes no context for a prompt, as install says",
    check: ({ lastSent }) => expect(lastSent).not.toContain("The build is red."),
  },
  prompt_block: {
    instead: "sends a refused prompt all the same, as install says",
    check: ({ requests }) => expect(requests).toHaveLength(2),
  },
  stop: "holds",
  stop_ceiling: "holds",
  hang: "holds",
  crash: "holds",
  garbage: "holds",
  program_missing: "holds",
  program_broken: "holds",
  subagent: {
    instead: "has no subagents in this agent of its SDK",
    check: ({ made }) => expect(made).toBe(false),
  },
  subdirectory: "holds",
  ask: "holds",
});
