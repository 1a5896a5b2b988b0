import { QWEN } from "./support/import-cases/qwen.ts";
import { importSuite } from "./support/import-suite.ts";

importSuite(QWEN);
