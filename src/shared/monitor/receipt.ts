/**
 * What came of an answer. `taken`: the waiting hook has it. `given`: no hook has it yet, or none waits. `late`, `refused`: it
 * changed nothing.
 */
export interface Receipt {
  readonly kind: "taken" | "given" | "late" | "refused";
  readonly text: string;
}
