import { CURSOR } from "./support/import-cases/cursor.ts";
import { importSuite } from "./support/import-suite.ts";

importSuite(CURSOR);
