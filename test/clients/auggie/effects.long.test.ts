import { AUGGIE } from "../support/auggie.ts";
import { effectSuite } from "../support/effects.ts";

effectSuite(AUGGIE);
