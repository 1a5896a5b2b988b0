import { valueAt } from "../../../adapters/settings/json-edit.ts";
import { withoutUndefined } from "../../../core/base/json.ts";
import { type Driver, movedPaths, withoutCredentials } from "../driver.ts";
import { CHAT } from "./chat.ts";

export const copilotDriver: Driver = {
  ...CHAT,
  agent: "copilot",
  opensWhen: ["garbage", "hanging"],
  // The folder with hooks, which folders are trusted, and what switches hooks off.
  copied: [".", "../config.json", "../copilot/settings.json", "../copilot/settings.local.json"],
  copy: (name, text, moved) => {
    if (name !== "../config.json") return withoutCredentials(text);
    const trustedFolders = valueAt(text, ["trustedFolders"]);
    return movedPaths(JSON.stringify(withoutUndefined({ trustedFolders })), moved);
  },
  shell: (line) => [["bash", { command: line, description: "Run it" }]],
  startSubagent: (prompt) => [
    ["task", { description: "Work", prompt, agent_type: "general-purpose", name: "worker" }],
  ],
  command: ({ prompt, model }) => ({
    args: [
      ...["-p", prompt, "--allow-all-tools", "--allow-all-paths"],
      ...["--no-auto-update", "--no-color", "--output-format", "json"],
    ],
    variables: {
      LANG: "C.UTF-8",
      TERM: "dumb",
      CI: "1",
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
      COPILOT_PROVIDER_BASE_URL: model.url,
      COPILOT_PROVIDER_TYPE: "openai",
      COPILOT_PROVIDER_API_KEY: model.key,
      COPILOT_MODEL: "scripted",
    },
  }),
};
