// A process that counts up a number in a file under a lock: file, how often.
import { readFileSync } from "node:fs";
import { writeAtomically } from "../../../src/node/files/atomic-write.ts";
import { withLock } from "../../../src/node/files/lock.ts";

const [file = "", times = "0"] = process.argv.slice(2);
for (let time = 0; time < Number(times); time += 1) {
  await withLock(`${file}.lock`, () => writeAtomically(file, String(Number(readFileSync(file, "utf8")) + 1)));
}
