import { isRecord } from "../../../core/base/json.ts";
import { type Driver, withoutCredentials } from "../driver.ts";
import { ANTHROPIC } from "../model/anthropic-server.ts";

export const claudeDriver: Driver = {
  agent: "claude",
  opensWhen: ["garbage"],
  protocol: ANTHROPIC,
  copied: ["settings.json", "settings.local.json", "hooks"],
  copy: (_, text) => withoutCredentials(text),
  shell: (line) => [["Bash", { command: line, description: "Work" }]],
  startSubagent: (prompt) => [
    [
      "Agent",
      { description: "Make a file", prompt, subagent_type: "general-purpose", run_in_background: false },
    ],
  ],
  conversation: ({ tools, tool_choice, messages }) =>
    Array.isArray(tools) && tools.length > 0 && !isRecord(tool_choice) ? (messages ?? []) : undefined,
  opening: ({ messages }) => (Array.isArray(messages) ? messages[0] : undefined),
  aside: '{"ok":true}',
  command: ({ prompt, model }) => ({
    args: [
      "-p",
      prompt,
      "--output-format",
      "stream-json",
      "--verbose",
      "--permission-mode",
      "bypassPermissions",
      // Plug-ins bring servers along.
      "--strict-mcp-config",
    ],
    variables: {
      LANG: "C.UTF-8",
      TERM: "dumb",
      // It does not bypass permissions for root elsewhere.
      IS_SANDBOX: "1",
      ANTHROPIC_BASE_URL: model.url.replace(/\/v1$/, ""),
      ANTHROPIC_API_KEY: model.key,
      DISABLE_TELEMETRY: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_ERROR_REPORTING: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: "0",
    },
  }),
};
