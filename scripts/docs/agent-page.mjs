import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { alternatives, members, methods } from "./type-text.mjs";

/** @typedef {ReturnType<typeof members>[number]} Member */

/**
 * The reference page of the agent, from its types.
 *
 * @param {string} root
 * @param {<T>(items: readonly T[], cells: (item: T) => readonly string[]) => string} rows
 * @param {Record<string, { meaning: string, exit_code: number }>} stopReasons
 */
export function agentPage(root, rows, stopReasons) {
  const read = (/** @type {string} */ file) => readFileSync(join(root, "src", file), "utf8");
  const files = ["agent", "core/contracts"].flatMap((folder) =>
    readdirSync(join(root, "src", folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => read(`${folder}/${file}`)),
  );
  /** The members of an exported interface, wherever it is. */
  const exported = (/** @type {string} */ type) =>
    members(files.find((text) => text.includes(`export interface ${type} `)) ?? "", type);
  const named = (/** @type {Member} */ { name, optional }) => `\`${name}\`${optional ? "?" : ""}`;
  const table = (/** @type {readonly Member[]} */ list) =>
    `| | type | |\n| --- | --- | --- |\n${rows(list, (one) => [named(one), `\`${one.type}\``, one.doc])}`;
  const options = read("agent/options.ts");
  const items = read("agent/items.ts");
  const base = members(items, "HookItemBase");
  const hookInput = members(items, "HookInputItem").slice(1);
  const all = [
    ...alternatives(items, "AgentItem"),
    ...alternatives(items, "HookItem").map((one) => ({ ...one, fields: [...base, ...one.fields] })),
    { name: "hook_input", doc: "Text of a hook that joins or starts a turn.", fields: hookInput },
  ];
  // The class that users import adds options, and says of others what they may be.
  const added = members(read("agent.ts"), "AgentOptions");
  const groups = members(options, "AgentOptions");
  const parts = [...members(options, "CommonOptions"), ...groups];
  const agentOptions = [
    ...parts.map((one) => added.find(({ name }) => name === one.name) ?? one),
    ...added.filter(({ name }) => parts.every((one) => one.name !== name)),
  ];
  const grouped = groups.flatMap(({ name, type, doc }) => [
    `### \`${name}\``,
    "",
    doc,
    "",
    table(members(options, type)),
  ]);
  /** @type {Record<string, string>} */
  const defaults = Object.fromEntries(
    members(
      options.replace("OWN_LIMITS: OwnLimits =", "type OWN_LIMITS").replaceAll(",\n", ";\n"),
      "OWN_LIMITS",
    ).map(({ name, type }) => [name, type]),
  );
  return [
    "# The agent",
    "",
    "The classes and types of `tenterhook/agent`. The guide is [the agent](../guides/agent.md). Names of data are written with underscores, as in events and files; functions are not.",
    "",
    "## `new Agent(options)`",
    "",
    table(agentOptions),
    "`Agent.resume` and `Agent.fork` take the same, without the ids and the conversation in `session`, which they know. An unknown option is an error that names the nearest known one.",
    "",
    ...grouped,
    "### `limits`",
    "",
    "Beside these, every [limit of a hook set](limits.md) can stand here; it then wins over the set's.",
    "",
    `| limit | default | |\n| --- | --- | --- |\n${rows([...members(options, "AgentLimits"), ...members(options, "Budget")], ({ name, doc }) => [`\`${name}\``, (defaults[name] ?? "").replace("Number.POSITIVE_INFINITY", "none"), doc])}`,
    "### `compaction`",
    "",
    table(exported("CompactionSettings")),
    "### `agents`",
    "",
    table(exported("AgentDefinition")),
    "## Methods",
    "",
    `| | |\n| --- | --- |\n${rows([...methods(read("agent.ts")), ...methods(read("agent/agent.ts"))], ({ name, doc }) => [`\`${name}\``, doc])}`,
    "### Options of a run",
    "",
    table(exported("RunOptions")),
    "## Result",
    "",
    table(members(items, "AgentResult")),
    "### `stop_reason`",
    "",
    "The exit code is that of `tenterhook run`, `resume` and `fork`.",
    "",
    `| \`stop_reason\` | means | exit code |\n| --- | --- | --- |\n${rows(Object.entries(stopReasons), ([name, { meaning, exit_code }]) => [`\`${name}\``, meaning, String(exit_code)])}`,
    "## Items",
    "",
    "What `agent.stream()` gives, `onItem` hears and `tenterhook run --json` prints: objects with `type` and these fields.",
    "",
    `| type | fields | |\n| --- | --- | --- |\n${rows(all, ({ name, doc, fields }) => [`\`${name}\``, fields.map(named).join(", "), doc])}`,
    "## Tools",
    "",
    "A [tool of your own](../guides/tools.md#your-own-tools) is an object with these.",
    "",
    table(exported("Tool")),
    "### `annotations`",
    "",
    table(exported("ToolAnnotations")),
    "### What `run` gets besides the input",
    "",
    table(exported("ToolContext")),
    "### What it answers",
    "",
    table(exported("ToolResult")),
  ].join("\n");
}
