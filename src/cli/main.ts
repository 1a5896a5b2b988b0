import { runCommandLine } from "./run.ts";

for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // Whoever reads has seen enough: `tenterhook list | head -1`.
    if (error.code === "EPIPE") process.exit();
    throw error;
  });
}
process.exitCode = await runCommandLine(process.argv.slice(2));
