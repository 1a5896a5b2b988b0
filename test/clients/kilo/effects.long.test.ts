import { effectSuite } from "../support/effects.ts";
import { KILO } from "../support/kilo.ts";

effectSuite(KILO);
