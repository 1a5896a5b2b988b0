/** The text of a persistent hook that adds its process id to a file, and has nothing to say. */
export function notingProgram(file: string): string {
  return `import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
appendFileSync(${JSON.stringify(file)}, process.pid + "\\n");
for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify({ request_id: JSON.parse(line).request_id }));`;
}
