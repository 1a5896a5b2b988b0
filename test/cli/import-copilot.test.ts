import { COPILOT } from "./support/import-cases/copilot.ts";
import { importSuite } from "./support/import-suite.ts";

importSuite(COPILOT);
