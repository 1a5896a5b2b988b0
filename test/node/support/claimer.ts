import { claimFile } from "../../../src/node/files/claim-file.ts";

/** Claims the file that is its first argument, and gives it back, many times. */
const [, , file = ""] = process.argv;
for (let at = 0; at < 3000; at += 1) claimFile(file)?.release();
