import { AGENT_NAMES } from "../../../src/core/events/agent-names.ts";
import { agreementSuite, WITH_PLUGIN } from "./agreement-suite.ts";

agreementSuite(AGENT_NAMES.filter((name) => !WITH_PLUGIN.includes(name)));
