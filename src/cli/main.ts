import { runCommandLine } from "./run-command-line.ts";

/** Node's own exit code for a program that waits for what never comes. */
const UNFINISHED = 13;

for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // The reader has closed the pipe (`tenterhook list | head -1`), which ends the command elsewhere.
    if (error.code === "EPIPE") return;
    if (stream === process.stdout) process.stderr.write(`The output can't be written: ${error.message}.\n`);
    if (process.argv.includes("--debug")) process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  });
}
// Stays if nothing is left to wait for and the command has not ended.
process.exitCode = UNFINISHED;
runCommandLine(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
