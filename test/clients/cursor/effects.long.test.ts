import { CURSOR } from "../support/cursor.ts";
import { effectSuite } from "../support/effects.ts";

effectSuite(CURSOR);
