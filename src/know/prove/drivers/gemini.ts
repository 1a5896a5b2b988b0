import { join } from "node:path";
import { isRecord } from "../../../core/base/json.ts";
import { type Driver, movedPaths, withoutCredentials } from "../driver.ts";
import { GEMINI } from "../model/gemini-server.ts";
import { mergeJson } from "./merge-json.ts";

export const geminiDriver: Driver = {
  agent: "gemini",
  opensWhen: ["garbage", "hanging"],
  protocol: GEMINI,
  copied: ["settings.json", "trustedFolders.json", "hooks"],
  copy: (name, text, moved) =>
    name === "trustedFolders.json" ? movedPaths(text, moved) : withoutCredentials(text),
  shell: (line) => [["run_shell_command", { command: line, description: "Run it" }]],
  startSubagent: (prompt) => [["invoke_agent", { agent_name: "generalist", prompt }]],
  conversation: ({ tools, contents }) =>
    JSON.stringify(tools ?? "").includes("functionDeclarations") ? (contents ?? []) : undefined,
  opening: ({ contents }) => (Array.isArray(contents) ? contents[0] : undefined),
  // It asks a model which model is to answer.
  aside: '{"reasoning":"","model_choice":"flash","next_speaker":"user"}',
  configure: ({ home }) =>
    mergeJson(join(home, ".gemini", "settings.json"), ({ security }) => ({
      ...QUIET,
      security: { ...(isRecord(security) ? security : {}), auth: { selectedType: "gemini-api-key" } },
    })),
  command: ({ prompt, model }) => ({
    args: [
      ...["-p", prompt, "-m", "gemini-2.5-flash", "--approval-mode", "yolo", "-o", "json"],
      // Extensions bring servers along.
      ...["--allowed-mcp-server-names", "none"],
    ],
    variables: {
      LANG: "C.UTF-8",
      TERM: "dumb",
      GEMINI_API_KEY: model.key,
      GOOGLE_GEMINI_BASE_URL: model.url.replace(GEMINI.base, ""),
      GEMINI_CLI_NO_RELAUNCH: "true",
    },
  }),
  silent: ({ stderr }) =>
    /not running in a trusted|untrusted folder|folder is not trusted/i.test(stderr)
      ? {
          why: "the folder is not trusted, so Gemini CLI starts no hook",
          way_out:
            "Start gemini there once and trust the folder, or add it to ~/.gemini/trustedFolders.json.",
        }
      : undefined,
};

/** It reads system settings only from folders that nobody else can write to, so these are in the user's. */
const QUIET = {
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false, disableAutoUpdate: true },
};
