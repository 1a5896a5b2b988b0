/** What a hook prints, and how it ends. */
export interface Shape {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exit?: number;
}

/** What came of a shape. */
export interface Seen {
  /** True when the tool of the turn ran as the model called it. */
  readonly ran: boolean;
  /** The inputs a human was asked about. */
  readonly asked: readonly string[];
  /** What the model was sent in the turn after the prompt, without what Claude Code puts around it. */
  readonly sent: readonly string[];
  /** How the turn ended. */
  readonly result: string;
}

/** How the hook is called: by Claude Code itself, or by us after an import. */
export type Way = "native" | "imported";

/** A shape with its name. Where we differ on purpose: why, and what is seen with us. */
export interface Row extends Shape {
  readonly what: string;
  readonly differs?: string;
  readonly imported?: Partial<Seen>;
}
