import { analyseShell, loadShellParser } from "tenterhook/rules";
import { parse } from "unbash";
import { developerCommands } from "./lib/developer-commands.mjs";
import { compare } from "./measure.mjs";

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "shell analysis of a developer's commands",
    against: "unbash's bare parse of the same",
    bound: 10,
    async measure() {
      await loadShellParser();
      const texts = developerCommands(100);
      // Each side goes on where it stopped, so that a batch is never about the first lines only.
      const each = (/** @type {(text: string) => unknown} */ run) => {
        let next = 0;
        return async (/** @type {number} */ times) => {
          for (let time = 0; time < times; time += 1) {
            run(texts[next] ?? "");
            next = (next + 1) % texts.length;
          }
        };
      };
      return compare(each(analyseShell), each(parse), 2_000_000_000);
    },
  },
];
