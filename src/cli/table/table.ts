import type { CommandTable } from "../command-line/command.ts";
import { KNOW_GROUP } from "./know.ts";
import { MACHINES_GROUP } from "./machines.ts";
import { RULES_GROUP } from "./rules.ts";
import { RUN_GROUP } from "./run.ts";
import { START_GROUP } from "./start.ts";
import { UNLISTED } from "./unlisted.ts";
import { WATCH_GROUP } from "./watch.ts";

/** The commands by what they are for. Help, usage errors, completion and the reference page are made from this table. */
export const COMMAND_TABLE: CommandTable = {
  groups: [START_GROUP, RULES_GROUP, KNOW_GROUP, WATCH_GROUP, RUN_GROUP, MACHINES_GROUP],
  unlisted: UNLISTED,
  start: {
    name: "tenterhook",
    summary: "Show what guards this project, which agents were found, who waits, and what to do next.",
    options: [
      {
        flags: "-y, --yes",
        description:
          "Set everything up without a question, in every project: write a configuration, connect the agents on this machine, and prove that they obey.",
      },
      { flags: "--project", description: "With --yes: in this project alone." },
      {
        flags: "--import",
        description: "With --yes: have the hooks in the agents' settings run through Tenterhook.",
      },
    ],
    examples: [
      [`tenterhook explain "rm -rf ~"`, "what would happen to this command?"],
      ["tenterhook install claude && tenterhook prove claude", "connect Claude Code, and see that it obeys"],
      ["tenterhook off git-force-push --for 30m", "for a while"],
    ],
    load: () => import("../commands/start/start.ts"),
  },
  habits: [
    ["status", "agents"],
    ["top", "agents -w"],
    ["agents list", "agents"],
    ["agents kill", "agents stop"],
    ["agents peek", "agents logs"],
    ["doctor", "check"],
    ["validate", "check"],
    ["show", "list"],
    ["enable", "on"],
    ["promote", "on"],
    ["disable", "off"],
    ["use", "add"],
    ["chat", "run"],
    ["demo", "run --demo"],
    ["watch --", "run --"],
    ["watch --name", "run --name"],
    ["watch --transcript", "run --transcript"],
    ["watch", "run --"],
    ["sessions list", "sessions"],
    ["resume", "sessions resume"],
    ["fork", "sessions fork"],
    ["web", "dashboard"],
    ["decisions", "inbox"],
    ["decisions list", "inbox"],
    ["decisions show", "inbox"],
    ["decisions resolve", "answer"],
    ["monitor", "daemon"],
    ["monitor token list", "daemon token"],
    ["monitor enable", "daemon start"],
    ["monitor disable", "daemon stop --for-good"],
    ["stats", "log --stats"],
    ["costs", "log --costs"],
    ["database", "fleet database"],
    ["database status", "fleet database"],
  ],
};
