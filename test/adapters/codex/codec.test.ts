import { join } from "node:path";
import { codex } from "../../../src/adapters/codex/codex.ts";
import { adapterSuite } from "../support/adapter-suite.ts";
import { codexUnderstands } from "./understands.ts";

adapterSuite({
  adapter: codex,
  fixtures: join(import.meta.dirname, "../../fixtures/codex"),
  understands: codexUnderstands,
  unstoppable: ["SubagentStart", "PreCompact"],
});
