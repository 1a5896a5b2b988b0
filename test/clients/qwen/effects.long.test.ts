import { effectSuite } from "../support/effects.ts";
import { QWEN } from "../support/qwen.ts";

effectSuite(QWEN);
