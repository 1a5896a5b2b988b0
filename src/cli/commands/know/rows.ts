import type { CommandRow } from "../../command-line/command.ts";

/** What hooks would do, before an agent meets them. */
export const KNOW_COMMANDS: readonly CommandRow[] = [
  {
    name: "test",
    arguments: [
      [
        "[files...]",
        "Files with cases, or folders with such files. Default: those beside the configuration.",
      ],
    ],
    summary: "Try your hooks on the cases you have written, and say what was decided differently.",
    details:
      "Cases are in .tenterhook/tests/*.yaml, yours in tests/ beside your own configuration, and the examples of rules are cases too. Rules and modules are asked; hooks that are programs, servers, models or agents only with --run, or where a case has a stub for them. Exits with 0 when all passed, 1 when one failed, 2 when a file is wrong.",
    options: [
      { flags: "--run", description: "Ask the hooks that are programs, servers, models or agents, too." },
      { flags: "--filter <word>", description: "Only cases with this in their name." },
      { flags: "--update", description: "Write what is decided now into cases that expect nothing yet." },
      { flags: "--coverage", description: "Show which of your rules no case reaches." },
      { flags: "--watch", description: "Try again whenever a file changes." },
      {
        flags: "--reporter <name>",
        description: "How to report.",
        choices: ["default", "junit", "json", "github"],
      },
    ],
    examples: [
      ["tenterhook test", "every case of this project, and yours"],
      ["tenterhook test --watch --filter push", "some of them, again after every change"],
      ["tenterhook test --reporter junit > hooks.xml", "for a build server"],
    ],
    load: () => import("./test.ts"),
  },
  {
    name: "promote",
    arguments: [["<name>", "A hook or a pack that is in shadow mode."]],
    completes: [["hooks", "packs"]],
    summary: "Show what a shadow hook or pack would have done, and put it in force.",
    details:
      "Lists the calls it would have stopped, and what became of them, then takes mode: shadow out of the file that has it, after you agree. The file as it was is kept.",
    options: [
      { flags: "--since <time>", description: "Look at calls since then: 24h, 30d, a date. Default 30d." },
      { flags: "-y, --yes", description: "Ask nothing." },
    ],
    examples: [["tenterhook promote git-safety", "the evidence, then the question"]],
    load: () => import("./promote.ts"),
  },
];
