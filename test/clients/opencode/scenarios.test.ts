import { OPENCODE } from "../support/opencode.ts";
import { clientSuite } from "../support/scenarios.ts";

clientSuite(OPENCODE);
