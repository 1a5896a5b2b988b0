import { describeClaimRaces, describeClaims } from "./claim-suite.ts";
import { describeDurable } from "./durable-suite.ts";
import { describeLists } from "./list-suite.ts";
import { describeStore } from "./suite.ts";

describeStore("sqlite");
describeLists("sqlite");
describeDurable("sqlite");
describeClaims("sqlite");
describeClaimRaces("sqlite");
