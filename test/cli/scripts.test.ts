import { scriptsSuite } from "./support/scripts-suite.ts";

scriptsSuite(new URL("scripts/", import.meta.url));
