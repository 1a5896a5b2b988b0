import { ACTION_KEY_MEANINGS, SPECIFIC_KEY_MEANINGS, TOP_KEY_MEANINGS, withMeanings } from "./meanings.mjs";

/** @typedef {import("../../src/handlers/reply/reply-keys.ts").ReplyKeys} ReplyKeys */

/** What a refusal becomes on an event that has none. */
const REFUSALS = {
  keep_going: "keeps the agent going; a reason is required",
  context: "is feedback for the model",
  abort: "ends the run",
};

/** What plain text is. */
const TEXTS = { context: "is context", answer: "is the answer", message: "is shown to the user" };

/**
 * The page of replies: the keys of each form, and what a refusal and plain text mean on each event.
 *
 * @param {{ top: ReplyKeys, specific: ReplyKeys, action: ReplyKeys }} keys
 * @param {Record<string, import("tenterhook").EventRow>} events
 * @param {import("./options-page.mjs").Rows} rows
 */
export function repliesPage({ top, specific, action }, events, rows) {
  /** @param {ReplyKeys} of @param {Readonly<Record<string, string>>} meanings */
  const table = (of, meanings) =>
    rows(withMeanings("key", Object.keys(of), meanings), ([name, meaning]) => [
      `\`${name}\``,
      kind(of, name),
      of[name]?.on?.join(", ") ?? "every event",
      meaning,
    ]);
  const head = "| key | is | on | |\n| --- | --- | --- | --- |\n";
  /** @type {Map<string, string[]>} */
  const alike = new Map();
  for (const [name, row] of Object.entries(events)) {
    const meaning = `${refusalOn(row)} | ${TEXTS[row.text_is ?? "message"]}`;
    alike.set(meaning, [...(alike.get(meaning) ?? []), `[${name}](events.md#${name.toLowerCase()})`]);
  }
  const meanings = [...alike].map(([meaning, names]) => `| ${names.join(", ")} | ${meaning} |\n`).join("");
  return `# Replies of hooks

What commands, servers, persistent processes and MCP tools may answer. The guide is [Replies](../guides/replies.md).

## Claude Code's form

At the top:

${head}${table(top, TOP_KEY_MEANINGS)}
In \`hookSpecificOutput\`:

${head}${table(specific, SPECIFIC_KEY_MEANINGS)}
## By action

| key | is | |
| --- | --- | --- |
${rows(withMeanings("key", Object.keys(action), ACTION_KEY_MEANINGS), ([name, meaning]) => [`\`${name}\``, kind(action, name), meaning])}
## By verdict

\`{ "ok": true | false, "reason": "…" }\`. True is no objection, and overrides nothing; false refuses.

## What a refusal and plain text mean

A refusal is \`decision: "block"\`, \`permissionDecision: "deny"\`, \`action: "deny"\`, \`ok: false\` or exit code 2.

| events | a refusal | plain text |
| --- | --- | --- |
${meanings}`;
}

/** @param {ReplyKeys} keys @param {string} name */
function kind(keys, name) {
  return (keys[name]?.must ?? "").replaceAll(/"[^"]*"/g, "`$&`");
}

/** @param {import("tenterhook").EventRow} row */
function refusalOn(row) {
  if (row.effects.includes("deny")) return "denies";
  if (row.refused_by !== undefined) return REFUSALS[row.refused_by];
  return "is shown to the user as exit code 2, and a failure (`bad_output`) in JSON";
}
