// A process that counts up a number in a file under a claim: file, how often. Each leaves a claim as if it had been killed.
import { spawnSync } from "node:child_process";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { writeAtomically } from "../../../src/node/files/atomic-write.ts";
import { whileClaimed } from "../../../src/node/files/claim-file.ts";
import { thisProcess } from "../../../src/node/identity/process-identity.ts";

const [file = "", times = "0"] = process.argv.slice(2);
const claim = `${file}.claim`;
const { pid } = spawnSync("true");

for (let time = 0; time < Number(times); time += 1) {
  await whileClaimed(claim, async () => {
    await writeAtomically(file, String(Number(readFileSync(file, "utf8")) + 1));
    // The holder's own file becomes one of a process that has ended, so that all who wait take it over.
    const beside = `${claim}-${process.pid}`;
    writeFileSync(beside, `${JSON.stringify({ ...thisProcess(), pid, at: `${process.pid} ${time}` })}\n`);
    renameSync(beside, claim);
  });
}
