import { describeStore } from "./suite.ts";

describeStore("sqlite");
