import { chosen } from "../support/long.ts";
import { CODEX } from "./support/import-cases/codex.ts";
import { COPILOT } from "./support/import-cases/copilot.ts";
import { CURSOR } from "./support/import-cases/cursor.ts";
import { GEMINI } from "./support/import-cases/gemini.ts";
import { QWEN } from "./support/import-cases/qwen.ts";
import { guardSuite } from "./support/import-suite.ts";

// Copilot gives its hooks other names of the same fields.
for (const agent of chosen([CODEX, COPILOT], [CODEX, COPILOT, CURSOR, GEMINI, QWEN])) guardSuite(agent);
