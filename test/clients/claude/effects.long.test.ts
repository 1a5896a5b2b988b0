import { CLAUDE } from "../support/claude.ts";
import { effectSuite } from "../support/effects.ts";

effectSuite(CLAUDE);
