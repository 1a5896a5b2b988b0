import { join } from "node:path";
import { valueAt } from "../../../adapters/settings/json-edit.ts";
import { withoutUndefined } from "../../../core/base/json.ts";
import { type Driver, movedPaths } from "../driver.ts";
import { CHAT } from "./chat.ts";
import { mergeJson } from "./merge-json.ts";

export const piDriver: Driver = {
  ...CHAT,
  agent: "pi",
  // Extensions, which of them are off, and which projects are trusted.
  copied: [".", "../settings.json", "../trust.json"],
  copy: (name, text, moved) => {
    if (name === "../trust.json") return movedPaths(text, moved);
    const [extensions, defaultProjectTrust] = ["extensions", "defaultProjectTrust"].map((key) =>
      valueAt(text, [key]),
    );
    return JSON.stringify(withoutUndefined({ extensions, defaultProjectTrust }));
  },
  shell: (line) => [["bash", { command: line }]],
  script: {
    tool: "codemode",
    step: (line) => [["codemode", { code: `return await tools.bash({ command: ${JSON.stringify(line)} })` }]],
  },
  configure: ({ home, model: { url, key } }) => {
    const folder = join(home, ".pi/agent");
    mergeJson(join(folder, "models.json"), {
      providers: {
        scripted: {
          baseUrl: url,
          api: "openai-completions",
          apiKey: key,
          compat: { supportsDeveloperRole: false, supportsReasoningEffort: false },
          models: [MODEL],
        },
      },
    });
    mergeJson(join(folder, "settings.json"), {
      defaultProvider: "scripted",
      defaultModel: "model",
      quietStartup: true,
      // Versions before 1.0 have none, and ignore this.
      defaultTools: ["+codemode"],
      retry: { enabled: false },
    });
  },
  command: ({ prompt }) => ({
    args: ["--mode", "json", "--provider", "scripted", "--model", "model", prompt],
    variables: { PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" },
  }),
};

const MODEL = {
  id: "model",
  name: "Model",
  reasoning: false,
  input: ["text"],
  contextWindow: 100_000,
  maxTokens: 4096,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};
