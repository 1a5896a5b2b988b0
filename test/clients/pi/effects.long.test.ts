import { effectSuite } from "../support/effects.ts";
import { PI } from "../support/pi.ts";

effectSuite(PI);
