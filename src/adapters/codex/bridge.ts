import { join } from "node:path";
import type { Bridge } from "../bridge.ts";
import type { SettingsText } from "../settings/json-edit.ts";
import { tomlTables } from "../settings/toml-tables.ts";
import { codex } from "./codex.ts";
import { codexCompared } from "./import/compared.ts";
import { importCodex } from "./import/import.ts";
import { codexOneRun } from "./one-run.ts";
import { codexSettings } from "./settings.ts";
import { codexTable } from "./table.ts";
import { codexTrust } from "./trust.ts";

/** The feature's name, and the one it had before. */
const FEATURES = ["hooks", "codex_hooks"];

function featureOff(text: SettingsText): string | undefined {
  const features = tomlTables(text, "features");
  const off = FEATURES.find((name) => features[name] === false);
  return off === undefined ? undefined : `features.${off} is false there`;
}

export const codexBridge: Bridge = {
  adapter: codex,
  table: codexTable,
  program: "codex",
  resume: (session) => ["exec", "resume", session, "-"],
  since: {
    version: "0.166.0",
    older: "was not tested with these hooks: it may send fewer events. Update it.",
  },
  settings: codexSettings,
  scopes: ["project", "user"],
  settingsFile: (scope, { root, home, environment }) =>
    scope === "user"
      ? join(environment.CODEX_HOME ?? join(home, ".codex"), "hooks.json")
      : join(root, ".codex", "hooks.json"),
  startsInRoot: "unless git",
  warnings: ["Codex sends no event for write_stdin: what a running program reads from there is not judged."],
  switchedOff: () => undefined,
  switches: {
    files: ({ root, home, environment }) =>
      [environment.CODEX_HOME ?? join(home, ".codex"), join(root, ".codex")].map((folder) => ({
        file: join(folder, "config.toml"),
        switchedOff: featureOff,
      })),
  },
  trust: codexTrust,
  oneRun: codexOneRun,
  importing: { importHooks: importCodex, compared: codexCompared },
};
