/**
 * What came of an answer. `taken`: the agent has used it. `given`: the waiting hook has replied with it, or the monitor acts.
 * `noted`: no hook has been given it yet. `late`, `refused`: it changed nothing.
 */
export interface Receipt {
  readonly kind: "taken" | "given" | "noted" | "late" | "refused";
  readonly text: string;
}
