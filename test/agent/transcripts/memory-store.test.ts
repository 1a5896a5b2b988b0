import { describeClaims } from "./claim-suite.ts";
import { describeLists } from "./list-suite.ts";
import { describeStore } from "./suite.ts";

describeStore("memory");
describeLists("memory");
describeClaims("memory");
