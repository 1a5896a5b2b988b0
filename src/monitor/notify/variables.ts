/** The problem of a channel whose secret is not set; nothing when all are. */
export function missingVariable(
  environment: NodeJS.ProcessEnv,
  ...names: readonly (string | undefined)[]
): { readonly problem?: string } {
  const missing = names.find((name) => name !== undefined && !environment[name]);
  if (missing === undefined) return {};
  const way = "Set it, then tenterhook monitor stop and tenterhook monitor start";
  return { problem: `The variable ${missing} is not set for the monitor's daemon. ${way}.` };
}
