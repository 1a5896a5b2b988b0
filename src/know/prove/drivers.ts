import type { AgentName } from "../../adapters/agents.ts";
import type { Driver } from "./driver.ts";
import { claudeDriver } from "./drivers/claude.ts";
import { codexDriver } from "./drivers/codex.ts";
import { geminiDriver } from "./drivers/gemini.ts";

/** The agents that can be tried, by name. */
export const DRIVERS: Readonly<Partial<Record<AgentName, Driver>>> = {
  claude: claudeDriver,
  codex: codexDriver,
  gemini: geminiDriver,
};
