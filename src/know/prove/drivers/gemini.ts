import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRecord, parseJson } from "../../../core/base/json.ts";
import { regularText } from "../../../node/files/regular-file.ts";
import { type Driver, movedPaths, withoutCredentials } from "../driver.ts";
import { GEMINI } from "../model/gemini-server.ts";

const MOST_BYTES = 10_000_000;

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
  configure: ({ home }) => {
    const file = join(home, ".gemini", "settings.json");
    const settings = parseJson(regularText(file, MOST_BYTES) ?? "{}");
    // Settings that it can't read stay so.
    if (!isRecord(settings)) return;
    const security = isRecord(settings.security) ? settings.security : {};
    mkdirSync(dirname(file), { recursive: true });
    const quiet = { ...QUIET, security: { ...security, auth: { selectedType: "gemini-api-key" } } };
    writeFileSync(file, JSON.stringify({ ...settings, ...quiet }));
  },
  command: ({ prompt, model }) => ({
    args: ["-p", prompt, "-m", "gemini-2.5-flash", "--approval-mode", "yolo", "-o", "json"],
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
