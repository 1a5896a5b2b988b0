import type { AgentTable } from "../../codec/agent-table.ts";
import type { AgentSettings } from "../../settings/agent-settings.ts";
import { pluginFile } from "../plugin-file.ts";
import { TOOL_EVENTS } from "./table.ts";

/** The plug-in file of opencode or one of its forks. */
export function forkSettings(table: AgentTable): AgentSettings {
  const rules = {
    table,
    usualSeconds: 60,
    tools: {
      names: {
        Bash: ["bash"],
        Read: ["read"],
        Write: ["write"],
        Edit: ["edit"],
        ApplyPatch: ["patch", "apply_patch"],
        LS: ["list"],
        Glob: ["glob"],
        Grep: ["grep"],
        WebFetch: ["webfetch"],
        WebSearch: ["websearch"],
        Task: ["task"],
        TodoWrite: ["todowrite"],
      },
      changeNothing: ["read", "glob", "grep", "list", "skill", "todowrite", "todoread", "webfetch"],
      lists: false,
      lookahead: true,
      mcpNames: false,
    },
    toolEvents: TOOL_EVENTS,
    prompts: new Map([["permission.asked", {}]]),
  };
  return pluginFile(rules, "opencode");
}
