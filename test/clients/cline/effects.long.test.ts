import { CLINE } from "../support/cline.ts";
import { effectSuite } from "../support/effects.ts";

effectSuite(CLINE);
