import { describeStore } from "./suite.ts";

describeStore("jsonl");
