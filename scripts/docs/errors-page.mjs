import { ERROR_SUMMARIES } from "./error-summaries.mjs";

/**
 * The page of errors: what each code means, and what to do about it.
 *
 * @param {Record<string, string>} hints
 * @param {import("./options-page.mjs").Rows} rows
 */
export function errorsPage(hints, rows) {
  /** @type {Readonly<Record<string, string>>} */
  const summaries = ERROR_SUMMARIES;
  const table = rows(Object.entries(hints), ([code, hint]) => [`\`${code}\``, summaries[code] ?? "", hint]);
  return `# Errors

Every error is a \`TenterhookError\` with a \`code\`, a \`message\` that names the thing and the place, and a \`hint\`.

| code | meaning | what to do |
| --- | --- | --- |
${table}`;
}
