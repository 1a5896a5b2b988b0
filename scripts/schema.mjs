// Writes the JSON Schema of configuration files: part of `npm run docs`. `--check` only says whether it is what would be
// written.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { configJsonSchema } from "tenterhook/config";
import { root } from "./run.mjs";

const file = join(root, "schema", "hooks.schema.json");
const text = `${JSON.stringify(await configJsonSchema(), null, 1)}\n`;

if (process.argv.includes("--check")) {
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
    console.error("schema/hooks.schema.json is not up to date. Run `npm run docs` and commit the result.");
    process.exit(1);
  }
} else {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
