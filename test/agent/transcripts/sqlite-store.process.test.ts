import { describeClaimRaces } from "./claim-suite.ts";
import { describeDurable } from "./durable-suite.ts";
import { describeStore } from "./suite.ts";

describeStore("sqlite");
describeDurable("sqlite");
describeClaimRaces("sqlite");
