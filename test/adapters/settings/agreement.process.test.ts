import { agreementSuite, WITH_PLUGIN } from "./agreement-suite.ts";

agreementSuite(WITH_PLUGIN);
