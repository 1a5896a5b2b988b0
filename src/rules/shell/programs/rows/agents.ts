import { PRELOADS_OF_AGENTS, PRELOADS_OF_OURS } from "../preloads.ts";
import type { ProgramFamily } from "../program-row.ts";
import { SERVICE } from "../service-changes.ts";

/** Our program, and agents that call it. */
export const AGENTS: ProgramFamily = {
  tenterhook: {
    ...PRELOADS_OF_OURS,
    values: "--name --transcript --mode --cwd",
    same: "--yes=-y",
    wrapsAfter: {
      run: { values: "--name --transcript", afterDashes: true },
      chat: { afterDashes: true },
      demo: { afterDashes: true },
      watch: { values: "--name --transcript" },
    },
    traits: ["subcommands"],
  },
  // Also the name of a program that deploys.
  copilot: {
    ...SERVICE,
    values: "--allow-tool",
    acts: (...given) => [...(SERVICE.acts?.(...given) ?? []), ...(PRELOADS_OF_AGENTS.acts?.(...given) ?? [])],
  },
  droid: { ...PRELOADS_OF_AGENTS, values: "--auto" },
  codex: {
    ...PRELOADS_OF_AGENTS,
    values: "-c -s -a -m -p -C -i -o --model --profile --cd --enable --disable --ask-for-approval",
    same: "--config=-c --sandbox=-s",
  },
  "claude gemini qwen cursor-agent opencode kilo kilocode pi amp cline auggie crush goose aider kiro-cli kimi vibe":
    {
      ...PRELOADS_OF_AGENTS,
      values:
        "--permission-mode --approval-mode --settings --setting-sources --plugin-dir --mcp-config --model --allowedTools --allowed-tools --allow-tool",
      same: "--force=-f --yes=-y --extension=-e --extensions=-e",
    },
};
