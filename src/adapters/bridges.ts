import { TenterhookError } from "../core/base/errors.ts";
import { didYouMean } from "../core/base/suggest.ts";
import { AGENT_NAMES, type AgentName } from "./agents.ts";
import type { Bridge } from "./bridge.ts";

/** The bridges, which commands load. Apart from the adapters, so that `tenterhook hook` contains none of them. */
const BRIDGES: Readonly<Record<AgentName, () => Promise<Bridge>>> = {
  opencode: async () => (await import("./opencode/bridge.ts")).opencodeBridge,
  kilo: async () => (await import("./kilo/bridge.ts")).kiloBridge,
  pi: async () => (await import("./pi/bridge.ts")).piBridge,
  auggie: async () => (await import("./auggie/bridge.ts")).auggieBridge,
  cursor: async () => (await import("./cursor/bridge.ts")).cursorBridge,
  qwen: async () => (await import("./qwen/bridge.ts")).qwenBridge,
  gemini: async () => (await import("./gemini/bridge.ts")).geminiBridge,
  codex: async () => (await import("./codex/bridge.ts")).codexBridge,
  antigravity: async () => (await import("./antigravity/bridge.ts")).antigravityBridge,
  windsurf: async () => (await import("./windsurf/bridge.ts")).windsurfBridge,
  crush: async () => (await import("./crush/bridge.ts")).crushBridge,
  cline: async () => (await import("./cline/bridge.ts")).clineBridge,
  copilot: async () => (await import("./copilot/bridge.ts")).copilotBridge,
  claude: async () => (await import("./claude/bridge.ts")).claudeBridge,
};

/** The agent that is started as this program; `undefined` for any other program. */
export async function bridgeOfProgram(program: string): Promise<Bridge | undefined> {
  const bridges = await Promise.all(Object.values(BRIDGES).map((load) => load()));
  return bridges.find((one) => one.program === program);
}

/** @throws TenterhookError `usage_error` with the nearest name. */
export async function bridgeOf(name: string): Promise<Bridge> {
  if (isAgent(name)) return BRIDGES[name]();
  throw new TenterhookError(
    "usage_error",
    `There is no agent ${JSON.stringify(name)}.${didYouMean(name, AGENT_NAMES)}`,
    { hint: `Agents: ${AGENT_NAMES.join(", ")}.` },
  );
}

function isAgent(name: string): name is AgentName {
  return Object.hasOwn(BRIDGES, name);
}
