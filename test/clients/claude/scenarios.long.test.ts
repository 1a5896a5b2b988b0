import { CLAUDE } from "../support/claude.ts";
import { clientSuite } from "../support/scenarios.ts";

clientSuite(CLAUDE);
