import { TenterhookError } from "../core/base/errors.ts";
import { didYouMean } from "../core/base/suggest.ts";
import type { Adapter, NativePayload } from "./adapter.ts";
import type { Bridge } from "./bridge.ts";
import { claude } from "./claude/claude.ts";
import { type AgentName, isAgentName, senderOf } from "./recognition.ts";

/** The parts of a foreign agent: its adapter, which its own calls need, and the rest, which commands need. */
interface AgentParts {
  readonly adapter: () => Promise<Adapter>;
  readonly bridge: () => Promise<Bridge>;
}

/** For payloads that no agent recognises: most agents copied Claude Code's format. */
export const USUAL_ADAPTER: Adapter = claude;

const AGENTS: Readonly<Record<AgentName, AgentParts>> = {
  opencode: {
    adapter: async () => (await import("./opencode/opencode.ts")).opencode,
    bridge: async () => (await import("./opencode/bridge.ts")).opencodeBridge,
  },
  kilo: {
    adapter: async () => (await import("./kilo/kilo.ts")).kilo,
    bridge: async () => (await import("./kilo/bridge.ts")).kiloBridge,
  },
  pi: {
    adapter: async () => (await import("./pi/pi.ts")).pi,
    bridge: async () => (await import("./pi/bridge.ts")).piBridge,
  },
  auggie: {
    adapter: async () => (await import("./auggie/auggie.ts")).auggie,
    bridge: async () => (await import("./auggie/bridge.ts")).auggieBridge,
  },
  cursor: {
    adapter: async () => (await import("./cursor/cursor.ts")).cursor,
    bridge: async () => (await import("./cursor/bridge.ts")).cursorBridge,
  },
  qwen: {
    adapter: async () => (await import("./qwen/qwen.ts")).qwen,
    bridge: async () => (await import("./qwen/bridge.ts")).qwenBridge,
  },
  gemini: {
    adapter: async () => (await import("./gemini/gemini.ts")).gemini,
    bridge: async () => (await import("./gemini/bridge.ts")).geminiBridge,
  },
  codex: {
    adapter: async () => (await import("./codex/codex.ts")).codex,
    bridge: async () => (await import("./codex/bridge.ts")).codexBridge,
  },
  antigravity: {
    adapter: async () => (await import("./antigravity/antigravity.ts")).antigravity,
    bridge: async () => (await import("./antigravity/bridge.ts")).antigravityBridge,
  },
  windsurf: {
    adapter: async () => (await import("./windsurf/windsurf.ts")).windsurf,
    bridge: async () => (await import("./windsurf/bridge.ts")).windsurfBridge,
  },
  crush: {
    adapter: async () => (await import("./crush/crush.ts")).crush,
    bridge: async () => (await import("./crush/bridge.ts")).crushBridge,
  },
  cline: {
    adapter: async () => (await import("./cline/cline.ts")).cline,
    bridge: async () => (await import("./cline/bridge.ts")).clineBridge,
  },
  copilot: {
    adapter: async () => (await import("./copilot/copilot.ts")).copilot,
    bridge: async () => (await import("./copilot/bridge.ts")).copilotBridge,
  },
  claude: {
    adapter: async () => claude,
    bridge: async () => (await import("./claude/bridge.ts")).claudeBridge,
  },
};

export const AGENT_NAMES: readonly string[] = Object.keys(AGENTS);

/** All adapters: for the events that only one agent has. */
export function allAdapters(): Promise<readonly Adapter[]> {
  return Promise.all(Object.values(AGENTS).map(({ adapter }) => adapter()));
}

export async function adapterFor(
  payload: NativePayload,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Adapter> {
  const sender = senderOf(payload, environment);
  return sender === undefined ? USUAL_ADAPTER : AGENTS[sender].adapter();
}

/** The agent that is started as this program; `undefined` for any other program. */
export async function bridgeOfProgram(program: string): Promise<Bridge | undefined> {
  const bridges = await Promise.all(Object.values(AGENTS).map(({ bridge }) => bridge()));
  return bridges.find((one) => one.program === program);
}

/** @throws TenterhookError `usage_error` with the nearest name. */
export async function bridgeOf(name: string): Promise<Bridge> {
  if (isAgentName(name)) return AGENTS[name].bridge();
  throw new TenterhookError(
    "usage_error",
    `There is no agent ${JSON.stringify(name)}.${didYouMean(name, AGENT_NAMES)}`,
    { hint: `Agents: ${AGENT_NAMES.join(", ")}.` },
  );
}
