import type { SaidUsage } from "../shared/said-usage.ts";
import { claudeSaid } from "./claude/said-usage.ts";

/** The agents that tell a command of their status line what they have used: how to read it. */
export const STATUS_LINES: ReadonlyMap<string, (told: Readonly<Record<string, unknown>>) => SaidUsage> =
  new Map([["claude", claudeSaid]]);
