import { TenterhookError } from "../core/base/errors.ts";
import { didYouMean } from "../core/base/suggest.ts";
import type { Adapter, NativePayload } from "./adapter.ts";
import { recogniseAntigravity } from "./antigravity/recognise.ts";
import { recogniseAuggie } from "./auggie/recognise.ts";
import type { Bridge } from "./bridge.ts";
import { claude } from "./claude/claude.ts";
import { recogniseClaude } from "./claude/recognise.ts";
import { recogniseCline } from "./cline/recognise.ts";
import { recogniseCodex } from "./codex/recognise.ts";
import { recogniseCopilot } from "./copilot/recognise.ts";
import { recogniseCrush } from "./crush/recognise.ts";
import { recogniseCursor } from "./cursor/recognise.ts";
import { recogniseGemini } from "./gemini/recognise.ts";
import { recognisePlugin } from "./plugins/recognise.ts";
import { recogniseQwen } from "./qwen/recognise.ts";
import { type Recognition, senderOf } from "./recognition.ts";
import { recogniseWindsurf } from "./windsurf/recognise.ts";

/** A foreign agent: how it is recognised, its adapter, which its own calls need, and the rest, which commands need. */
interface AgentRow extends Recognition {
  readonly adapter: () => Promise<Adapter>;
  readonly bridge: () => Promise<Bridge>;
}

/** For payloads that no agent recognises: most agents copied Claude Code's format. */
export const USUAL_ADAPTER: Adapter = claude;

/** All agents, in the order in which they are asked whether a payload is theirs: those that set others' variables first. */
const AGENTS: readonly AgentRow[] = [
  {
    ...recognisePlugin("opencode"),
    adapter: async () => (await import("./opencode/opencode.ts")).opencode,
    bridge: async () => (await import("./opencode/bridge.ts")).opencodeBridge,
  },
  {
    ...recognisePlugin("kilo"),
    adapter: async () => (await import("./kilo/kilo.ts")).kilo,
    bridge: async () => (await import("./kilo/bridge.ts")).kiloBridge,
  },
  {
    ...recognisePlugin("pi"),
    adapter: async () => (await import("./pi/pi.ts")).pi,
    bridge: async () => (await import("./pi/bridge.ts")).piBridge,
  },
  {
    ...recogniseAuggie,
    adapter: async () => (await import("./auggie/auggie.ts")).auggie,
    bridge: async () => (await import("./auggie/bridge.ts")).auggieBridge,
  },
  {
    ...recogniseCursor,
    adapter: async () => (await import("./cursor/cursor.ts")).cursor,
    bridge: async () => (await import("./cursor/bridge.ts")).cursorBridge,
  },
  {
    ...recogniseQwen,
    adapter: async () => (await import("./qwen/qwen.ts")).qwen,
    bridge: async () => (await import("./qwen/bridge.ts")).qwenBridge,
  },
  {
    ...recogniseGemini,
    adapter: async () => (await import("./gemini/gemini.ts")).gemini,
    bridge: async () => (await import("./gemini/bridge.ts")).geminiBridge,
  },
  {
    ...recogniseCodex,
    adapter: async () => (await import("./codex/codex.ts")).codex,
    bridge: async () => (await import("./codex/bridge.ts")).codexBridge,
  },
  {
    ...recogniseAntigravity,
    adapter: async () => (await import("./antigravity/antigravity.ts")).antigravity,
    bridge: async () => (await import("./antigravity/bridge.ts")).antigravityBridge,
  },
  {
    ...recogniseWindsurf,
    adapter: async () => (await import("./windsurf/windsurf.ts")).windsurf,
    bridge: async () => (await import("./windsurf/bridge.ts")).windsurfBridge,
  },
  {
    ...recogniseCrush,
    adapter: async () => (await import("./crush/crush.ts")).crush,
    bridge: async () => (await import("./crush/bridge.ts")).crushBridge,
  },
  {
    ...recogniseCline,
    adapter: async () => (await import("./cline/cline.ts")).cline,
    bridge: async () => (await import("./cline/bridge.ts")).clineBridge,
  },
  {
    ...recogniseCopilot,
    adapter: async () => (await import("./copilot/copilot.ts")).copilot,
    bridge: async () => (await import("./copilot/bridge.ts")).copilotBridge,
  },
  {
    ...recogniseClaude,
    adapter: async () => claude,
    bridge: async () => (await import("./claude/bridge.ts")).claudeBridge,
  },
];

export const AGENT_NAMES: readonly string[] = AGENTS.map(({ name }) => name);

/** All adapters: for the events that only one agent has. */
export function allAdapters(): Promise<readonly Adapter[]> {
  return Promise.all(AGENTS.map(({ adapter }) => adapter()));
}

export async function adapterFor(
  payload: NativePayload,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Adapter> {
  return senderOf(AGENTS, payload, environment)?.adapter() ?? USUAL_ADAPTER;
}

/** The agent that is started as this program; `undefined` for any other program. */
export async function bridgeOfProgram(program: string): Promise<Bridge | undefined> {
  const bridges = await Promise.all(AGENTS.map(({ bridge }) => bridge()));
  return bridges.find((one) => one.program === program);
}

/** @throws TenterhookError `usage_error` with the nearest name. */
export async function bridgeOf(name: string): Promise<Bridge> {
  const row = AGENTS.find((one) => one.name === name);
  if (row !== undefined) return row.bridge();
  throw new TenterhookError(
    "usage_error",
    `There is no agent ${JSON.stringify(name)}.${didYouMean(name, AGENT_NAMES)}`,
    { hint: `Agents: ${AGENT_NAMES.join(", ")}.` },
  );
}
