import { runCommandLine } from "./command-line/run-command-line.ts";

for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // The reader has closed the pipe (`tenterhook list | head -1`), which ends the command elsewhere.
    if (error.code === "EPIPE") return;
    if (stream === process.stdout)
      process.stderr.write(`write_failed: The output can't be written: ${error.message}.\n`);
    if (process.argv.includes("--debug")) process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  });
}
process.exitCode = await runCommandLine(process.argv.slice(2));
