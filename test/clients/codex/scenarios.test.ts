import { CODEX } from "../support/codex.ts";
import { clientSuite } from "../support/scenarios.ts";

clientSuite(CODEX);
