type Variables = Readonly<Record<string, string | undefined>>;

const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/**
 * A text with `${NAME}` and `${NAME:-otherwise}` replaced by variables, as files of MCP servers write them.
 *
 * @throws Error that names the first variable that is not set and has nothing to stand for it.
 */
export function expandVariables(text: string, environment: Variables): string {
  return text.replaceAll(VARIABLE, (_whole, name: string, otherwise: string | undefined) => {
    const value = environment[name] ?? otherwise;
    if (value === undefined) throw new Error(`the variable ${name} is not set`);
    return value;
  });
}

/** The same for every value of an object. */
export function expandAll(
  texts: Readonly<Record<string, string>>,
  environment: Variables,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, expandVariables(text, environment)]),
  );
}
