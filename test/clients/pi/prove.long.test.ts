import { PI, piProgram } from "../support/pi.ts";
import { proofSuite } from "../support/proofs.ts";

proofSuite({ ...PI, agent: "pi" }, [], [], { program: () => piProgram() });
