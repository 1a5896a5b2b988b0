import { describeClaimRaces } from "./claim-suite.ts";
import { describeDurable } from "./durable-suite.ts";
import { describeStore } from "./suite.ts";

describeStore("jsonl");
describeDurable("jsonl");
describeClaimRaces("jsonl");
