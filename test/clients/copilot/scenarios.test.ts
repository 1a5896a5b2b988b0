import { COPILOT } from "../support/copilot.ts";
import { clientSuite } from "../support/scenarios.ts";

clientSuite(COPILOT);
