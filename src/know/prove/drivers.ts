import type { AgentName } from "../../core/events/agent-names.ts";
import type { Driver } from "./driver.ts";
import { claudeDriver } from "./drivers/claude.ts";
import { codexDriver } from "./drivers/codex.ts";
import { copilotDriver } from "./drivers/copilot.ts";
import { geminiDriver } from "./drivers/gemini.ts";
import { kiloDriver, opencodeDriver } from "./drivers/opencode.ts";
import { piDriver } from "./drivers/pi.ts";
import { qwenDriver } from "./drivers/qwen.ts";

export const DRIVERS: Readonly<Partial<Record<AgentName, Driver>>> = {
  claude: claudeDriver,
  codex: codexDriver,
  copilot: copilotDriver,
  gemini: geminiDriver,
  kilo: kiloDriver,
  opencode: opencodeDriver,
  pi: piDriver,
  qwen: qwenDriver,
};
