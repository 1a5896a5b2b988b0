import { GEMINI } from "../support/gemini.ts";
import { clientSuite } from "../support/scenarios.ts";

clientSuite(GEMINI);
