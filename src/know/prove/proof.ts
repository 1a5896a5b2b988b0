import type { Integration, SettingsPlaces } from "../../adapters/integration.ts";
import type { Driver } from "./driver.ts";
import type { OwnCode } from "./own-code.ts";

export interface Proof {
  readonly name: string;
  readonly result: "obeyed" | "ignored" | "degraded" | "not_reached";
  readonly why?: string;
  readonly way_out?: string;
  /** True for a call that was refused and has run. */
  readonly ran?: true;
}

export function isFine({ result }: Proof): boolean {
  return result === "obeyed" || result === "degraded";
}

/** Slow machines under load need a minute. */
export const MOST_MILLISECONDS = { agent: 120_000, program: 20_000 };

/** What is proved: one agent, with the settings and the configuration of one place. */
export interface Proven {
  readonly driver: Driver;
  readonly integration: Integration;
  readonly program: string;
  readonly real: SettingsPlaces;
  readonly signal: AbortSignal;
  /** The person's own plug-ins that the agent gets, too. Default: none. */
  readonly mine?: readonly OwnCode[];
  /** How long a run of the agent, or a call of our program, may take. Default: {@link MOST_MILLISECONDS}. */
  readonly mostMilliseconds?: number;
  readonly onRun: (what: string) => void;
}
