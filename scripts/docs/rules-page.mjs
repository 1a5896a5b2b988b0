import {
  BEHAVIOUR_MEANINGS,
  FIELD_MEANINGS,
  FILTER_MEANINGS,
  OPERATOR_MEANINGS,
  withMeanings,
} from "./meanings.mjs";

/**
 * The page of the words of rules.
 *
 * @param {{
 *   fields: readonly string[], operators: Readonly<Record<string, import("../../src/rules/operators/operators.ts").Operator>>,
 *   expected: (operator: string) => string, behaviours: readonly string[], filters: readonly string[],
 *   actions: typeof import("../../src/rules/rule.ts").RULE_ACTIONS,
 * }} words
 * @param {import("./options-page.mjs").Rows} rows
 */
export function rulesPage({ fields, operators, expected, behaviours, filters, actions }, rows) {
  const operatorRows = rows(
    withMeanings("operator", Object.keys(operators), OPERATOR_MEANINGS),
    ([name, meaning]) => [
      [name, ...(operators[name]?.aliases ?? [])].map((word) => `\`${word}\``).join(" "),
      expected(name),
      meaning,
    ],
  );
  const actionRows = rows(Object.entries(actions), ([name, row]) => [
    `\`${row.written}\``,
    `\`${name}\``,
    "effect" in row ? row.effect : "",
    row.docs,
  ]);
  return `# Words of rules

The guide is [Rules](../guides/rules.md). A rule is \`FIELD OPERATOR VALUE -> ACTION\`.

## Fields

Any path into an [event](events.md) (\`tool_input.command\`, \`tool_calls[0].tool_name\`), and these short names:

| field | |
| --- | --- |
${rows(withMeanings("field", fields, FIELD_MEANINGS), ([name, meaning]) => [`\`${name}\``, meaning])}
## Operators

| operator | takes | true if |
| --- | --- | --- |
${operatorRows}
## Behaviours

\`runs "@sends **/.env"\` asks what a command does, whatever its name. The words after the behaviour are globs for what it is done to.

| \`runs "@…"\` | some command |
| --- | --- |
${rows(withMeanings("behaviour", behaviours, BEHAVIOUR_MEANINGS), ([name, meaning]) => [`\`@${name}\``, meaning])}
## Actions

| in one line | as \`action\` | effect | |
| --- | --- | --- | --- |
${actionRows}
## Filters

Texts are templates: \`{{args.content | length}}\`. A field that the event does not have is an empty text.

| filter | |
| --- | --- |
${rows(withMeanings("filter", filters, FILTER_MEANINGS), ([name, meaning]) => [`\`${name}\``, meaning])}`;
}
