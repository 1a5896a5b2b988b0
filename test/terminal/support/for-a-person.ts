import { runCommandLine } from "../../../src/cli/run-command-line.ts";
import { aPerson } from "../../support/a-person.ts";

/** The command line on a terminal that is a person's, whichever agents run on this machine. */
process.exitCode = await runCommandLine(process.argv.slice(2), { standing: aPerson });
