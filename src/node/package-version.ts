import { builtin } from "./builtin.ts";

/** The version of this package, as its manifest says. */
export function packageVersion(): string {
  const require = builtin.module.createRequire(import.meta.url);
  const { version }: { version: string } = require("tenterhook/package.json");
  return version;
}
