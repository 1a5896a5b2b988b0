import { readFileSync, writeSync } from "node:fs";
import { answer } from "./answer.ts";

async function main(): Promise<void> {
  const { stdout, stderr, exit_code } = await answer(readFileSync(0, "utf8"), process.env);
  if (stderr !== "") writeSync(2, `${stderr}\n`);
  if (stdout !== "") writeSync(1, stdout);
  process.exitCode = exit_code;
}

main();
