import { describeClaimRaces, describeClaims } from "./claim-suite.ts";
import { describeDurable } from "./durable-suite.ts";
import { describeLists } from "./list-suite.ts";
import { describeStore } from "./suite.ts";

describeStore("jsonl");
describeLists("jsonl");
describeDurable("jsonl");
describeClaims("jsonl");
describeClaimRaces("jsonl");
