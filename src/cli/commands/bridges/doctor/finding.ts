/** Something the doctor found. */
export interface Finding {
  readonly level: "ok" | "warning" | "error";
  /** An agent, or what of ours it is about. */
  readonly about: string;
  readonly message: string;
}
