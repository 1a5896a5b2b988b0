import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { DEFAULTS } from "../../playground/address.ts";

/** What the page shows before any script has run: the verdict about the usual call, by the same engine. */
export default {
  async load() {
    const file = join(fileURLToPath(new URL("../..", import.meta.url)), "pages/public/engine/engine.js");
    const { judge } = await import(pathToFileURL(file).href);
    return judge(DEFAULTS, DEFAULTS);
  },
};
