/** The answer of a model without the code fence that models like to put around JSON. */
export function withoutCodeFence(text: string): string {
  return /^\s*```(?:json)?\s*\n(.*)\n\s*```\s*$/s.exec(text)?.[1] ?? text;
}
