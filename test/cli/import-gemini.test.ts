import { GEMINI } from "./support/import-cases/gemini.ts";
import { importSuite } from "./support/import-suite.ts";

importSuite(GEMINI);
