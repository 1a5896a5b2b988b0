/**
 * @typedef {{ description?: string, type?: string, enum?: unknown[], const?: unknown, items?: Schema, anyOf?: Schema[],
 *   properties?: Record<string, Schema>, required?: string[], additionalProperties?: boolean | Schema, $ref?: string,
 *   $defs?: Record<string, Schema>, pattern?: string, minimum?: number, maximum?: number }} Schema
 */

/**
 * The reference page of configuration keys, from the JSON Schema.
 *
 * @param {Schema} schema
 * @param {(items: readonly (readonly [string, Schema])[], cells: (item: readonly [string, Schema]) => readonly string[]) => string} rows
 */
export function configPage(schema, rows) {
  const top = schema.properties ?? {};
  const hooks = top.hooks?.properties ?? {};
  const definitions = hooks.definitions?.items?.anyOf ?? [];
  const [first] = definitions;
  const shared = Object.keys(first?.properties ?? {}).filter((key) =>
    definitions.every(({ properties }) => properties?.[key] !== undefined),
  );
  /** @param {Schema | undefined} object @param {readonly string[]} [without] */
  const table = (object, without = []) => {
    const entries = Object.entries(object?.properties ?? {}).filter(([key]) => !without.includes(key));
    if (entries.length === 0) return "";
    const cells = (/** @type {readonly [string, Schema]} */ [key, value]) => [
      `\`${key}\`${object?.required?.includes(key) ? "" : "?"}`,
      typeText(value),
      value.description ?? "",
    ];
    return `| key | value | |\n| --- | --- | --- |\n${rows(entries, cells)}\n`;
  };
  const types = definitions.map((definition) => {
    const own = table(definition, shared.concat("type"));
    return `### ${typeNames(definition).join(", ")}\n\n${own}`;
  });
  const sections = Object.entries(top)
    .filter(([key]) => key !== "hooks" && key !== "$schema")
    .map(([key, value]) => {
      const inside = typeof value.additionalProperties === "object" ? value.additionalProperties : value;
      return `## ${key}\n\n${value.description ?? ""}\n\n${table(inside)}`;
    });
  return [
    "# Configuration keys\n\nYAML, JSON and TOML hold the same shape; `?` marks a key that may be left out. An unknown key is an error that names the nearest known one. The guide is [Configuration](../guides/configuration.md).\n\n",
    `## hooks\n\n${table(top.hooks)}`,
    `### limits\n\n${table(hooks.limits)}`,
    `## Definitions\n\nKeys of every definition:\n\n${table(pick(first, shared), ["type"])}`,
    `### matcher\n\nFields are joined by and, the values inside a field by or.\n\n${table(schema.$defs?.matcher)}`,
    ...types,
    ...sections,
  ]
    .join("")
    .replace(/\n+$/, "\n");
}

/** @param {Schema | undefined} object @param {readonly string[]} keys @returns {Schema} */
function pick(object, keys) {
  const entries = Object.entries(object?.properties ?? {}).filter(([key]) => keys.includes(key));
  return { ...object, properties: Object.fromEntries(entries) };
}

/** @param {Schema} definition */
function typeNames(definition) {
  const type = definition.properties?.type;
  return type?.enum?.map(String) ?? [String(type?.const)];
}

/** The range of a number, where it has both ends. @param {Schema} value */
function range({ minimum, maximum }) {
  return minimum === undefined || maximum === undefined ? "" : ` from ${minimum} to ${maximum}`;
}

/** @param {Schema} value @returns {string} */
function typeText(value) {
  if (value.$ref !== undefined) return value.$ref.replace(/^.*\//, "");
  if (value.const !== undefined) return `\`${value.const}\``;
  if (value.enum !== undefined)
    return value.enum.length > 12 ? "name" : value.enum.map((word) => `\`${word}\``).join(", ");
  if (value.anyOf !== undefined) return [...new Set(value.anyOf.map(typeText))].join(" or ");
  if (value.type === "array") return `list of ${typeText(value.items ?? {})}`;
  if (value.type === "string") return "string";
  if (value.type === "boolean") return "true or false";
  if (value.type === "integer") return `whole number${range(value)}`;
  return value.type === "number" ? `number${range(value)}` : (value.type ?? "anything");
}
