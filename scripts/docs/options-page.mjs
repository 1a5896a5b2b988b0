/** @typedef {import("../../src/core/base/schemas.ts").Schema} Schema */
/** @typedef {import("../../src/core/base/schemas.ts").Fields} Fields */
/** What is longer is said in words. */
const LONGEST_TYPE = 200;

/** @typedef {<T>(items: readonly T[], cells: (item: T) => readonly string[]) => string} Rows */

/**
 * The reference page of hook options, from the tables of settings and matcher fields.
 *
 * @param {{ settings: Fields, matcher: Fields }} tables
 * @param {Rows} rows
 */
export function optionsPage({ settings, matcher }, rows) {
  const table = (/** @type {Fields} */ fields) => keysTable(fields, rows);
  return `# Hook options\n\nWhat \`hooks.on(events, options, run)\` takes. Matcher fields may also be under \`matcher\`. An unknown key is an error that names the nearest known one.\n\n## Settings\n\n${table(settings)}\n## Matcher\n\nFields are joined by and, the values inside a field by or. A field takes one value or a list.\n\n${table(matcher)}`;
}

/**
 * The reference page of files with test cases.
 *
 * @param {Fields} fields
 * @param {Rows} rows
 */
export function casesPage({ expect, ...fields }, rows) {
  const expected = expect?.schema.is === "object" ? expect.schema.fields : {};
  return `# Test cases\n\nThe list \`cases\` of a file in \`.tenterhook/tests/\`, for [\`tenterhook test\`](cli.md). A case has one of \`bash\`, \`event\` and \`sequence\`.\n\n${keysTable(fields, rows)}\n## expect\n\nWhat is not named is not compared. A text must be equal, or is a \`/regular expression/\` (\`/…/i\` ignores case); \`true\` stands for any text, \`false\` for none.\n\n${keysTable(expected, rows)}`;
}

/**
 * @param {Fields} fields
 * @param {Rows} rows
 */
function keysTable(fields, rows) {
  return `| key | type | |\n| --- | --- | --- |\n${rows(Object.entries(fields), ([name, { schema, docs }]) => [`\`${name}\``, typeCell(schema), docs])}`;
}

/** @param {Schema} schema */
function typeCell(schema) {
  const type = typeText(schema);
  return type.length > LONGEST_TYPE ? schema.must : `\`${type}\``;
}

/**
 * The reference page of limits, from their table.
 *
 * @param {typeof import("../../src/core/registration/limits.ts").LIMITS} limits
 * @param {Rows} rows
 */
export function limitsPage(limits, rows) {
  return `# Limits\n\n\`createHooks({ limits })\`. A limit that is not given has its default. Limits are counted for each session, agent and turn. When one is reached the agent stops, the user sees why, and an [Error](events.md#error) event of type \`ceiling\` is fired (\`error_retries\`, which is about Error events, is only shown).\n\n| limit | default | |\n| --- | --- | --- |\n${rows(Object.entries(limits), ([name, row]) => [`\`${name}\``, String(row.default), row.docs])}`;
}

/**
 * The TypeScript type of a schema.
 *
 * @param {Schema} schema
 * @returns {string}
 */
export function typeText(schema) {
  switch (schema.is) {
    case "anything":
      return "like" in schema ? schema.must : "unknown";
    case "word":
      return schema.words.map((word) => JSON.stringify(word)).join(" | ");
    case "list":
      return schema.of.is === "either" || schema.of.is === "word"
        ? `(${typeText(schema.of)})[]`
        : `${typeText(schema.of)}[]`;
    case "map":
      if (schema.keys === undefined && schema.of.is === "anything") return "object";
      return `{ ${schema.keys === undefined ? "[name]" : schema.keys.map((key) => `${key}?`).join(", ")}: ${typeText(schema.of)} }`;
    case "object":
      return `{ ${Object.entries(schema.fields)
        .map(([key, row]) => `${key}${row.required ? "" : "?"}: ${typeText(row.schema)}`)
        .join("; ")} }`;
    case "either":
      return [...new Set(schema.of.map(typeText))].join(" | ");
    default:
      return schema.is;
  }
}
