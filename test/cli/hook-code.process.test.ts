import { moduleCodeSuite } from "./support/hook-code-suite.ts";
import { HERE } from "./support/hosts.ts";

moduleCodeSuite("decided in the test's process", HERE);
