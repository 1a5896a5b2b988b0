import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { regularText } from "../../../node/files/regular-file.ts";
import { type Driver, withoutCredentials } from "../driver.ts";
import { OPENAI_RESPONSES } from "../model/openai-responses-server.ts";

const MOST_BYTES = 10_000_000;

export const codexDriver: Driver = {
  agent: "codex",
  opensWhen: ["garbage", "hanging"],
  protocol: OPENAI_RESPONSES,
  copied: ["hooks.json", "config.toml", "hooks"],
  copy: (name, text, moved) =>
    name === "config.toml" ? switchesAndTrust(text, moved) : withoutCredentials(text),
  shell: (line) => [["exec_command", { cmd: line }]],
  script: {
    tool: "exec",
    step: (line) => [["exec", {}, `text(await tools.exec_command({ cmd: ${JSON.stringify(line)} }))`]],
  },
  startSubagent: (message) => [["multi_agent_v1.spawn_agent", { message, agent_type: "worker" }]],
  conversation: ({ input }) => input ?? [],
  // A subagent's conversation begins with the message it was started with.
  opening: ({ input }) =>
    Array.isArray(input) ? input.filter((item) => JSON.stringify(item).includes('"role":"user"')) : undefined,
  aside: "",
  leavesSubagents: true,
  configure: ({ home, model }) => {
    const folder = join(home, ".codex");
    mkdirSync(folder, { recursive: true });
    configureCodex(join(folder, "config.toml"), model.url);
  },
  command: ({ cwd, prompt, model }) => ({
    // Otherwise it looks for plug-ins on the network.
    args: [
      ...["exec", "--json", "--skip-git-repo-check", "-C", cwd],
      ...["-c", "features.plugins=false", "-c", "features.code_mode=true", prompt],
    ],
    variables: {
      CODEX_TEST_KEY: model.key,
      HTTPS_PROXY: "http://127.0.0.1:9",
      NO_PROXY: "127.0.0.1,localhost",
    },
  }),
};

/** Puts the model in front of what else is in config.toml. */
export function configureCodex(file: string, url: string, model = "mock-model"): void {
  const before = regularText(file, MOST_BYTES) ?? "";
  writeFileSync(
    file,
    `model = "${model}"
model_provider = "test"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.test]
name = "test"
base_url = "${url}"
env_key = "CODEX_TEST_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false

${before}`,
  );
}

/** The tables that say which hooks run: what is on, and what is trusted, by folder. */
function switchesAndTrust(text: string, moved: (path: string) => string): string {
  let isKept = false;
  const lines = text.split("\n").flatMap((line) => {
    if (/^\s*\[/.test(line)) isKept = /^\s*\[+\s*"?(?:hooks|projects|features)\b/.test(line);
    if (!isKept) return [];
    return /^\s*\[/.test(line)
      ? line.replace(/(["'])(\/[^"':]*)/, (_, quote: string, path: string) => quote + moved(path))
      : line;
  });
  return lines.join("\n");
}
