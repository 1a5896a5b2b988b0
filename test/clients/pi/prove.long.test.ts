import { clientProgram } from "../support/install-clients.ts";
import { PI } from "../support/pi.ts";
import { proofSuite } from "../support/proofs.ts";

proofSuite({ ...PI, agent: "pi" }, [], [], { program: (agent) => [process.execPath, clientProgram(agent)] });
