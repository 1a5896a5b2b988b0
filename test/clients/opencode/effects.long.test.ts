import { effectSuite } from "../support/effects.ts";
import { OPENCODE } from "../support/opencode.ts";

effectSuite(OPENCODE);
