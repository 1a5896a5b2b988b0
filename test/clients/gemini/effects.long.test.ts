import { effectSuite } from "../support/effects.ts";
import { GEMINI } from "../support/gemini.ts";

effectSuite(GEMINI);
