import { describeStore } from "./suite.ts";

describeStore("memory");
