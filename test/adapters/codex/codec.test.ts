import { codex } from "../../../src/adapters/codex/codex.ts";
import { adapterSuite } from "../support/adapter-suite.ts";
import { codexUnderstands } from "./understands.ts";

adapterSuite({
  adapter: codex,
  understands: codexUnderstands,
  unstoppable: ["SubagentStart", "PreCompact"],
});
