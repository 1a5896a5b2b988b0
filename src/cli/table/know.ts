import type { CommandGroup, CommandRow } from "../command-line/command.ts";
import { SINCE } from "./options.ts";

/** What hooks would do, before an agent meets them. */
const COMMANDS: readonly CommandRow[] = [
  {
    name: "test",
    arguments: [
      {
        usage: "[files...]",
        description: "Files with cases, or folders with such files. Default: those beside the configuration.",
      },
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
    load: () => import("../commands/know/test.ts"),
  },
  {
    name: "replay",
    arguments: [
      {
        usage: "[files...]",
        description:
          "Recorded sessions, or folders with them. Default: those that agents have written on this machine.",
      },
    ],
    summary: "Run recorded sessions through your hooks, and say what they would have stopped.",
    details:
      "Reads the sessions of Claude Code, Codex, Gemini CLI, Qwen Code, GitHub Copilot CLI, opencode, pi and the built-in agent, and the journal. Each tool call is decided as it would be now. Nothing is executed: hooks that are programs, servers, models or agents are asked only with --run. Ctrl-C shows what was found so far.",
    options: [
      { flags: "--since <time>", description: `Only what happened since then. ${SINCE}` },
      { flags: "--project <folder>", description: "Only sessions in this folder, with its configuration." },
      { flags: "--agent <name>", description: "Only sessions of this agent.", completes: "agents" },
      { flags: "--config <file>", description: "Try this file in place of the configuration in force." },
      {
        flags: "--against <file>",
        description:
          "Compare with this file: what is newly stopped, newly let through, or has another reason.",
      },
      { flags: "--run", description: "Ask the hooks that are programs, servers, models or agents, too." },
      { flags: "--all", description: "Show every changed call, and all commands that nothing judged." },
      {
        flags: "--html <file>",
        description: "Write the dashboard's Replay as one page that needs nothing else.",
      },
      { flags: "--save <file>", description: "Write the changed calls as cases for tenterhook test." },
    ],
    examples: [
      ["tenterhook replay --since 30d", "what your hooks would have stopped in the last month"],
      ["tenterhook replay --config new.yaml --against .tenterhook/hooks.yaml", "before you change a policy"],
      ["tenterhook replay --html report.html", "to look at each call, or to show it to others"],
    ],
    load: () => import("../commands/know/replay.ts"),
  },
  {
    name: "prove",
    arguments: [
      {
        usage: "[agents...]",
        description: "Agents to start. Default: those on this machine that call Tenterhook.",
        completes: ["agents"],
      },
    ],
    summary: "Start your agents in a throw-away folder, and show that they do what your hooks say.",
    details:
      "Starts the agent that is installed here, without a terminal, with a scripted model on this machine in place of its own. It works in a temporary folder with copies of your settings and your configuration, without credentials, and makes harmless calls (touch canary-...). The hooks in your settings run, those of others too. Exits with 1 when an agent ignores a hook, or starts none.",
    options: [
      {
        flags: "--with-mine",
        description:
          "Try each agent once more with your own plug-ins, extensions and mods, from copies, after showing what will run.",
      },
      { flags: "--html <file>", description: "Write a page with all agents and scenarios." },
      { flags: "-y, --yes", description: "With --with-mine: run them without asking." },
    ],
    examples: [
      ["tenterhook prove", "every agent on this machine that calls Tenterhook"],
      ["tenterhook prove codex --json", "one of them, for a program"],
      ["tenterhook prove claude --with-mine", "does one of your plug-ins lift a refusal?"],
      ["tenterhook prove --html proof.html", "to look at, or to show to others"],
    ],
    load: () => import("../commands/know/prove.ts"),
  },
];

export const KNOW_GROUP: CommandGroup = {
  title: "Know before",
  lines: [
    ["test", "run the cases you wrote"],
    ["replay [--since 7d]", "what your hooks would have stopped in past sessions"],
    ["prove [AGENT]", "show in the real programs that your agents obey"],
  ],
  commands: COMMANDS,
};
