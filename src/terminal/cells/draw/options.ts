import type { Paint } from "../../paint.ts";

/** How cells are drawn. */
export interface DrawOptions {
  readonly width: number;
  readonly paint: Paint;
  readonly now: number;
  /** Paths below it are shown from there on. */
  readonly folder: string;
  /** True to fold nothing. */
  readonly whole?: boolean;
}
