import { COPILOT } from "../support/copilot.ts";
import { effectSuite } from "../support/effects.ts";

effectSuite(COPILOT);
