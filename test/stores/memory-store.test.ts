import { describeLists } from "./list-suite.ts";
import { describeStore } from "./suite.ts";

describeStore("memory");
describeLists("memory");
