import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { valueAt } from "../../../adapters/settings/json-edit.ts";
import { listOf, withoutUndefined } from "../../../core/base/json.ts";
import { orElse } from "../../../install/settings-files.ts";
import { regularText } from "../../../node/files/regular-file.ts";
import { type Driver, movedPaths, withoutCredentials } from "../driver.ts";
import { CHAT } from "./chat.ts";

const TRUST = "../config.json";
const MOST_BYTES = 1_000_000;

export const copilotDriver: Driver = {
  ...CHAT,
  agent: "copilot",
  opensWhen: ["garbage", "hanging"],
  // The folder with hooks, which folders are trusted, and what switches hooks off.
  copied: [".", TRUST, "../copilot/settings.json", "../copilot/settings.local.json"],
  copy: (name, text, moved) => {
    if (name !== TRUST) return withoutCredentials(text);
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
  silent: (_, { root, hooks }) => {
    const config = regularText(join(hooks, TRUST), MOST_BYTES) ?? "{}";
    const trusted = orElse([], () => listOf(valueAt(config, ["trustedFolders"])));
    const isTrusted = trusted.some(
      (folder) => typeof folder === "string" && !relative(folder, root).startsWith(".."),
    );
    // Those of the user run in every folder.
    if (isTrusted || existsSync(join(hooks, "tenterhook.json"))) return undefined;
    return {
      why: "the folder is not trusted, so GitHub Copilot CLI starts no hook",
      way_out: "Start copilot there once and trust the folder.",
    };
  },
};
