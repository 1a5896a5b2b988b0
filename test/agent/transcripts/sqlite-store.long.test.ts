import { describeClaimRaces } from "./claim-suite.ts";
import { describeDurable } from "./durable-suite.ts";

describeDurable("sqlite");
describeClaimRaces("sqlite");
