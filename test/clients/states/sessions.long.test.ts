import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ServerReply } from "../../../src/know/prove/model/model-server.ts";
import { startInteractive } from "../support/interactive.ts";
import {
  type AgentWords,
  allowedAtDesk,
  allowedElsewhere,
  asleep,
  failure,
  interrupted,
  killed,
  type SessionStep,
  turn,
  withoutDaemon,
} from "../support/session-steps.ts";

const HOLDS = { on_prompt: { action: "answer", wait: "5m", hidden_wait: "2m" } };
const LEAST_RIGHT = 0.98;
const LONGEST_MILLISECONDS = 1_500_000;

let calls = 0;
function call(name: string, input: object): ServerReply {
  calls += 1;
  return { tool_calls: [{ id: `call_${calls}`, name, input }] };
}

const REFUSED = [
  failure("429", { error: { status: 429, message: "Rate limit reached." } }),
  failure("401", { error: { status: 401, message: "Incorrect API key provided." } }),
];
const MORE_REFUSED = [
  failure("402", { error: { status: 402, message: "You exceeded your current quota." } }),
  failure("a cut connection", { text: "This answer is cut off in its middle.", cut: true }),
];
const EVERYWHERE = [withoutDaemon, asleep, turn, killed];

const NAMES = ["claude", "codex", "gemini", "tenterhook"] as const;

/** How agents call tools, and what happens in their session. */
const SESSIONS: Readonly<
  Record<(typeof NAMES)[number], AgentWords & { readonly steps: readonly SessionStep[] }>
> = {
  claude: {
    // After two minutes it would go on in the background.
    works: (seconds) =>
      call("Bash", { command: `sh -c 'sleep ${seconds}'`, description: "Work", timeout: 600_000 }),
    asks: (command) => call("Bash", { command, description: "Work" }),
    dialog: /Do you want to proceed/,
    allows: "Enter",
    steps: [turn, interrupted, allowedElsewhere, allowedAtDesk, ...REFUSED, ...EVERYWHERE],
  },
  codex: {
    // Its commands go on in the background after a while.
    works: (seconds) => ({ ...call("exec_command", { cmd: "true" }), after: wait(seconds * 1000) }),
    asks: (cmd) =>
      call("exec_command", { cmd, sandbox_permissions: "require_escalated", justification: "It must." }),
    dialog: /Would you like to run/,
    allows: "Enter",
    steps: [turn, interrupted, allowedElsewhere, ...REFUSED, ...MORE_REFUSED, ...EVERYWHERE],
  },
  gemini: {
    works: (seconds) => call("run_shell_command", { command: `sleep ${seconds}`, description: "Work" }),
    asks: (command) => call("run_shell_command", { command, description: "Work" }),
    dialog: /Allow execution/,
    allows: "Enter",
    steps: [turn, interrupted, ...REFUSED.slice(1), ...EVERYWHERE],
  },
  tenterhook: {
    // After two minutes it would be ended.
    works: (seconds) => call("Bash", { command: `sleep ${seconds}`, timeout: 600_000 }),
    asks: (command) => call("Bash", { command }),
    dialog: /refuse and say why/,
    allows: "y",
    steps: [turn, interrupted, allowedElsewhere, allowedAtDesk, ...REFUSED.slice(1), ...EVERYWHERE],
  },
};

describe("a session of minutes on a terminal", () => {
  it.each(NAMES)(
    "of %s is shown as it is",
    async (name) => {
      const { steps, ...words } = SESSIONS[name];
      const agent = await startInteractive(name, HOLDS);
      for (const step of steps) await step(agent, words);
      const { right } = agent.matches(`a session of ${name}`);
      expect(right).toBeGreaterThanOrEqual(LEAST_RIGHT);
    },
    LONGEST_MILLISECONDS,
  );
});
