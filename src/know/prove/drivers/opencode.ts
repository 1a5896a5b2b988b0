import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Driver, StartedAgent } from "../driver.ts";
import { CHAT } from "./chat.ts";
import { mergeJson } from "./merge-json.ts";

/** What opencode and its forks have in common. */
const FORK = {
  ...CHAT,
  // The folder with the plug-ins: ours, and those of others next to it.
  copied: ["."],
  copy: (_, text) => text,
  shell: (line) => [["bash", { command: line, description: "Work" }]],
  startSubagent: (prompt) => [["task", { description: "Make a file", prompt, subagent_type: "general" }]],
} satisfies Partial<Driver>;

export const opencodeDriver: Driver = {
  ...FORK,
  agent: "opencode",
  configure: (started) => {
    const folder = join(configIn(started), "opencode");
    mergeJson(join(folder, "opencode.json"), onlyScripted(started));
    for (const one of [folder, join(started.root, ".opencode")]) seedFolder(one);
  },
  command: ({ cwd, prompt }) => ({
    args: ["run", "--format", "json", "--print-logs"],
    // It puts an argument with spaces into quotes.
    stdin: prompt,
    variables: {
      // It believes this more than the folder it is in.
      PWD: cwd,
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    },
  }),
  silent: unloaded("opencode"),
};

export const kiloDriver: Driver = {
  ...FORK,
  agent: "kilo",
  configure: (started) => {
    const allowed = { permission: { "*": "allow" } };
    mergeJson(join(started.root, "kilo.json"), { ...onlyScripted(started), ...allowed });
    for (const one of [join(configIn(started), "kilo"), join(started.root, ".kilo")]) seedFolder(one);
  },
  command: ({ cwd, prompt }) => ({
    args: ["run", "--format", "json", "--print-logs", "-m", "scripted/model", prompt],
    variables: { PWD: cwd, DO_NOT_TRACK: "1", KILO_DISABLE_AUTOUPDATE: "1", KILO_DISABLE_MODELS_FETCH: "1" },
  }),
  silent: unloaded("kilo"),
};

function configIn({ environment, home }: StartedAgent): string {
  return environment.XDG_CONFIG_HOME ?? join(home, ".config");
}

/** A configuration that knows only the scripted model. */
function onlyScripted({ model: { url, key } }: StartedAgent): object {
  return {
    autoupdate: false,
    share: "disabled",
    model: "scripted/model",
    small_model: "scripted/model",
    enabled_providers: ["scripted"],
    provider: {
      scripted: {
        npm: "@ai-sdk/openai-compatible",
        name: "Scripted",
        options: { baseURL: url, apiKey: key },
        models: { model: { name: "Model", tool_call: true, limit: { context: 100_000, output: 4096 } } },
      },
    },
  };
}

/** Where it finds these, it installs no package at its start. */
function seedFolder(folder: string): void {
  if (!existsSync(folder)) return;
  const dependencies = { "@opencode-ai/plugin": "*" };
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  const write = (name: string, value: object) => writeFileSync(join(folder, name), JSON.stringify(value));
  write("package.json", { dependencies });
  write("package-lock.json", { lockfileVersion: 3, packages: { "": { dependencies } } });
}

/** It writes into its log alone which plug-in it could not load. */
function unloaded(name: string): NonNullable<Driver["silent"]> {
  return ({ stderr }) => {
    const line = stderr
      .split("\n")
      .find((one) => /level=ERROR|^ERROR/.test(one) && /tenterhook\.js/.test(one));
    if (line === undefined) return undefined;
    const [, error] = /error="?(.*?)(?:"?\s+\w+=|"?$)/.exec(line) ?? [];
    return {
      why: `${name} can't load our plug-in${error === undefined || error === "" ? "" : `: ${error}`}`,
      way_out: `tenterhook install ${name} writes it again.`,
    };
  };
}
