/** @typedef {import("../../src/core/base/kinds.ts").Kind} Kind */
/** @typedef {import("../../src/core/base/kinds.ts").Fields} Fields */
/** @typedef {<T>(items: readonly T[], cells: (item: T) => readonly string[]) => string} Rows */

/**
 * The reference page of hook options, from the tables of settings and matcher fields.
 *
 * @param {{ settings: Fields, matcher: Fields }} tables
 * @param {Rows} rows
 */
export function optionsPage({ settings, matcher }, rows) {
  const table = (/** @type {Fields} */ fields) =>
    `| key | type | |\n| --- | --- | --- |\n${rows(Object.entries(fields), ([name, { kind, docs }]) => [`\`${name}\``, `\`${typeText(kind)}\``, docs])}`;
  return `# Hook options\n\nWhat \`hooks.on(events, options, run)\` takes. Matcher fields may also be under \`matcher\`. An unknown key is an error that names the nearest known one.\n\n## Settings\n\n${table(settings)}\n## Matcher\n\nFields are joined by and, the values inside a field by or. A field takes one value or a list.\n\n${table(matcher)}`;
}

/**
 * The reference page of limits, from their table.
 *
 * @param {typeof import("../../src/core/registration/limits.ts").LIMITS} limits
 * @param {Rows} rows
 */
export function limitsPage(limits, rows) {
  return `# Limits\n\n\`createHooks({ limits })\`. A limit that is not given has its default. Limits are counted for each session, agent and turn. When one is reached the agent stops, the user sees why, and an [Error](events/Error.md) event of type \`ceiling\` is fired (\`error_retries\`, which is about Error events, is only shown).\n\n| limit | default | |\n| --- | --- | --- |\n${rows(Object.entries(limits), ([name, row]) => [`\`${name}\``, String(row.default), row.docs])}`;
}

/**
 * The TypeScript type of a kind.
 *
 * @param {Kind} kind
 * @returns {string}
 */
export function typeText(kind) {
  switch (kind.is) {
    case "anything":
      return "like" in kind ? kind.must : "unknown";
    case "word":
      return kind.words.map((word) => JSON.stringify(word)).join(" | ");
    case "list":
      return kind.of.is === "either" || kind.of.is === "word"
        ? `(${typeText(kind.of)})[]`
        : `${typeText(kind.of)}[]`;
    case "map":
      if (kind.keys === undefined && kind.of.is === "anything") return "object";
      return `{ ${kind.keys === undefined ? "[name]" : kind.keys.map((key) => `${key}?`).join(", ")}: ${typeText(kind.of)} }`;
    case "object":
      return `{ ${Object.entries(kind.fields)
        .map(([key, row]) => `${key}${row.required ? "" : "?"}: ${typeText(row.kind)}`)
        .join("; ")} }`;
    case "either":
      return [...new Set(kind.of.map(typeText))].join(" | ");
    default:
      return kind.is;
  }
}
