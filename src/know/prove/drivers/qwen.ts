import { join } from "node:path";
import { type Driver, movedPaths, withoutCredentials } from "../driver.ts";
import { CHAT } from "./chat.ts";
import { mergeJson } from "./merge-json.ts";

export const qwenDriver: Driver = {
  ...CHAT,
  agent: "qwen",
  opensWhen: ["garbage", "hanging"],
  copied: ["settings.json", "trustedFolders.json", "hooks"],
  copy: (name, text, moved) =>
    name === "trustedFolders.json" ? movedPaths(text, moved) : withoutCredentials(text),
  shell: (line) => [["run_shell_command", { command: line, description: "Run it", is_background: false }]],
  startSubagent: (prompt) => [["agent", { description: "Do it", prompt, subagent_type: "general-purpose" }]],
  aside: "{}",
  configure: ({ home }) => mergeJson(join(home, ".qwen/settings.json"), QUIET),
  command: ({ prompt, model }) => ({
    args: [
      ...["-p", prompt, "--auth-type", "openai", "-m", "scripted"],
      ...["--approval-mode", "yolo", "-o", "stream-json"],
    ],
    variables: {
      LANG: "C.UTF-8",
      TERM: "dumb",
      OPENAI_API_KEY: model.key,
      OPENAI_BASE_URL: model.url,
      OPENAI_MODEL: "scripted",
      QWEN_CODE_NO_RELAUNCH: "true",
    },
  }),
};

const QUIET = {
  security: { auth: { selectedType: "openai" } },
  general: { disableAutoUpdate: true, enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
};
