import { CODEX } from "./support/import-cases/codex.ts";
import { importSuite } from "./support/import-suite.ts";

importSuite(CODEX);
