/** What an agent itself says about its session. It counts before what is computed from the transcript and our tables. */
export interface SaidUsage {
  readonly cost_usd?: number;
  readonly context_tokens?: number;
  readonly context_window?: number;
  /** The limits of its user's plan, by the provider's names: `five_hour`, `seven_day`. */
  readonly rate_limits?: Readonly<Record<string, RateLimit>>;
}

export interface RateLimit {
  readonly used_percentage: number;
  readonly resets_at?: string;
}
