import { CODEX } from "../support/codex.ts";
import { effectSuite } from "../support/effects.ts";

effectSuite(CODEX);
