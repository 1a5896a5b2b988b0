/** Names other programs have for the model of the parent, or for one we can't know. */
const INHERITED: readonly unknown[] = ["inherit", "sonnet", "opus", "haiku"];

/** @throws Error when it is no text, or one that says nothing. */
export function textOf(value: unknown): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new Error("must be a text");
}

/**
 * The name of a model; `undefined` for the parent's. A file of the workspace must not send the conversation to a server of
 * its choice.
 *
 * @throws Error when it does, or is no text.
 */
export function modelOf(model: unknown): string | undefined {
  if (INHERITED.includes(model)) return undefined;
  const name = textOf(model);
  if (name.trim().toLowerCase().startsWith("openai-compatible:"))
    throw new Error("names a server; only the options of the agent may do that");
  return name;
}

/**
 * Names of tools. A list that is empty, or not there at all behind its key, names nothing.
 *
 * @throws Error when it is no list of names.
 */
export function namesOf(value: unknown): readonly string[] {
  const names: unknown =
    typeof value === "string" ? value.split(",").map((name) => name.trim()) : (value ?? []);
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string"))
    throw new Error("must be a list of names");
  return names.filter((name) => name !== "");
}

/**
 * Names of tools that are taken away. They must be called so: a rule or a pattern, which is no name, would leave everything.
 *
 * @throws Error for one of these, and when it is no list of names.
 */
export function plainNamesOf(value: unknown): readonly string[] {
  const names = namesOf(value);
  const other = names.find((name) => /[()*?]/.test(name));
  if (other === undefined) return names;
  throw new Error(
    `takes names of tools, and ${JSON.stringify(other)} is none; permissions.deny takes rules and patterns`,
  );
}

/** @throws Error when it is no whole number of 1 or more. */
export function countOf(value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1) return value;
  throw new Error("must be a whole number of 1 or more");
}
