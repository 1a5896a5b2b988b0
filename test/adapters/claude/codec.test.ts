import { claude } from "../../../src/adapters/claude/claude.ts";
import { adapterSuite } from "../support/adapter-suite.ts";
import { claudeUnderstands } from "./understands.ts";

adapterSuite({
  adapter: claude,
  understands: claudeUnderstands,
  unstoppable: ["SubagentStart"],
});
