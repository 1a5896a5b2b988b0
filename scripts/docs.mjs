// Writes the reference pages that tables and types can tell: `npm run docs`. `--check` only says whether they are
// what would be written.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { EVENTS } from "tenterhook";
import { configJsonSchema } from "tenterhook/config";
import { PACKS } from "tenterhook/rules";
import { agentPage } from "./docs/agent-page.mjs";
import { agentsPage } from "./docs/agents-page.mjs";
import { cliPage } from "./docs/cli-page.mjs";
import { comparePage } from "./docs/compare-page.mjs";
import { configPage } from "./docs/config-page.mjs";
import { ERROR_SUMMARIES } from "./docs/error-summaries.mjs";
import { casesPage, limitsPage, optionsPage, typeText } from "./docs/options-page.mjs";
import { packPages } from "./docs/packs-page.mjs";
import { importSource } from "./docs/source-tables.mjs";
import { teamPage } from "./docs/team-page.mjs";
import { triggersPage } from "./docs/triggers-page.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "docs", "reference");
const GENERATED = "<!-- Made by `npm run docs` from the tables and types in src. Do not edit. -->\n\n";

/** @type {Map<string, string>} */
const pages = new Map();
/** @type {Record<string, import("tenterhook").EventRow>} */
const events = EVENTS;

/** @type {{ COMMON_FIELDS: import("../src/core/base/schemas.ts").Fields, EVENT_FIELDS: Record<string, import("../src/core/base/schemas.ts").Fields> }} */
const { COMMON_FIELDS, EVENT_FIELDS } = await importSource(root, "core/events/event-fields.ts");
const { USAGE_FIELDS } = await importSource(root, "shared/usage-fields.ts");
for (const [name, row] of Object.entries(events)) pages.set(`events/${name}.md`, eventPage(name, row));
pages.set("events/README.md", eventIndex());
/** @type {{ HINTS: Record<string, string> }} */
const { HINTS } = await importSource(root, "core/base/errors.ts");
/** @type {Readonly<Record<string, string>>} */
const summaries = ERROR_SUMMARIES;
for (const [code, hint] of Object.entries(HINTS)) {
  pages.set(`errors/${code}.md`, `# \`${code}\`\n\n${summaries[code]}\n\n**What to do.** ${hint}\n`);
}
pages.set(
  "errors/README.md",
  `# Errors\n\nEvery error is a \`TenterhookError\` with a \`code\`, a \`message\` that names the thing and the place, and a \`hint\`.\n\n| code | meaning |\n| --- | --- |\n${rows(Object.entries(ERROR_SUMMARIES), ([code, summary]) => [`[\`${code}\`](${code}.md)`, summary])}`,
);
const { HOOK_SETTINGS } = await importSource(root, "core/registration/hook.ts");
const { MATCHER_FIELDS } = await importSource(root, "core/registration/matcher.ts");
const { LIMITS } = await importSource(root, "core/registration/limits.ts");
const { RULE_ACTIONS: actions } = await importSource(root, "rules/rule.ts");
pages.set(
  "hook-options.md",
  optionsPage({ settings: HOOK_SETTINGS, matcher: MATCHER_FIELDS, actions }, rows),
);
pages.set("compare.md", comparePage(root));
pages.set("limits.md", limitsPage(LIMITS, rows));
/** @type {{ TOOL_NAMES: Record<string, readonly string[]> }} */
const { TOOL_NAMES } = await importSource(root, "core/match/tool-names.ts");
const { CASE_FILE } = await importSource(root, "know/cases/case-schema.ts");
pages.set("test-cases.md", casesPage(CASE_FILE.fields.cases.schema.of.fields, rows));
pages.set(
  "triggers.md",
  triggersPage(
    await importSource(root, "shared/monitor/triggers.ts"),
    await importSource(root, "shared/monitor/settings.ts"),
    rows,
  ),
);
/** @type {{ TEAM_ROUTES: readonly import("../src/monitor/team/routes.ts").TeamRoute[] }} */
const { TEAM_ROUTES } = await importSource(root, "monitor/team/routes.ts");
pages.set("team.md", teamPage(TEAM_ROUTES, rows));
pages.set("tool-names.md", toolNamesPage());
for (const [file, text] of await packPages(root, PACKS, rows)) pages.set(file, text);
const { STOP_REASONS } = await importSource(root, "agent/stop-reasons.ts");
pages.set("agent.md", agentPage(root, rows, STOP_REASONS));
pages.set("agents.md", await agentsPage(root, events));
pages.set("cli.md", await cliPage(root, rows));
pages.set("configuration.md", configPage(await configJsonSchema(), rows));

const stale = [...pages].filter(([file, text]) => current(file) !== GENERATED + text).map(([file]) => file);
const strange = ["events", "errors", "rules"]
  .flatMap((sub) =>
    existsSync(join(folder, sub)) ? readdirSync(join(folder, sub)).map((file) => `${sub}/${file}`) : [],
  )
  .filter((file) => !pages.has(file));

if (process.argv.includes("--check")) {
  if (stale.length + strange.length > 0) {
    console.error(
      `The reference is not up to date: ${[...stale, ...strange].join(", ")}. Run \`npm run docs\` and commit the result.`,
    );
    process.exit(1);
  }
} else {
  for (const file of strange) rmSync(join(folder, file));
  for (const [file, text] of pages) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), GENERATED + text);
  }
  console.log(`${pages.size} pages, ${stale.length} changed.`);
}

/** @param {string} file */
function current(file) {
  const path = join(folder, file);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** @param {string} name @param {import("tenterhook").EventRow} row */
function eventPage(name, row) {
  const effects = [...row.effects, "user_message", ...(row.inside_run === false ? [] : ["abort"])];
  const lines = [
    `# ${name}`,
    "",
    row.summary,
    "",
    `- **Hooks can:** ${effects.join(", ")}.`,
    `- **A failing hook is:** ${row.gate ? "closed (the event is a gate)" : "open"} unless it says otherwise.`,
    ...(row.about === null ? [] : [`- **It is about:** \`${row.about}\`.`]),
    ...(row.rewrites === undefined
      ? []
      : [
          `- **\`rewrite\` replaces:** ${Object.entries(row.rewrites)
            .map(([field, as]) => `\`${field}\` (\`decision.${as}\`)`)
            .join(", ")}${row.gate ? "; gates are asked again about the result" : ""}.`,
        ]),
    ...Object.entries(row.only_when ?? {}).map(
      ([effect, field]) => `- **\`${effect}\`** counts only when \`${field}\` is true.`,
    ),
    ...Object.entries(row.defaults ?? {}).map(
      ([field, value]) => `- **\`${field}\`** is \`${JSON.stringify(value)}\` when the caller gives none.`,
    ),
    "",
    "## Own fields",
    "",
    "Required of a caller: " +
      (Object.keys(row.requires)
        .map((field) => `\`${field}\``)
        .join(", ") || "none") +
      ", besides `session_id` and `cwd`.",
    "",
    fieldTable(EVENT_FIELDS[name] ?? {}),
    "",
    "Every event also has the [common fields](README.md#common-fields).",
    "",
  ];
  return lines.join("\n");
}

function eventIndex() {
  const table = rows(Object.entries(events), ([name, row]) => [
    `[${name}](${name}.md)`,
    row.summary,
    row.effects.join(", ") || "observe",
    row.gate ? "closed" : "open",
  ]);
  return `# Events\n\nEvery event also lets a hook tell the user something (\`user_message\`) and, but for SessionEnd, end the run (\`abort\`).\n\n| event | tells | hooks can | fails |\n| --- | --- | --- | --- |\n${table}\nEvents of your own are declared: \`hooks.declare("custom:deploy", { effects: ["deny"] })\`. Events that one agent has are named after it: \`claude:ConfigChange\`. There are no events for artifacts: what an agent makes is a file, which tool events with \`path_patterns\` see.\n\n## Common fields\n\n${fieldTable(COMMON_FIELDS)}\n## Fields of usage\n\nRules read them as \`usage.context_left\` and the like; a comparison with one that is missing never holds.\n\n${fieldTable(USAGE_FIELDS)}`;
}

/** @param {import("../src/core/base/schemas.ts").Fields} fields */
function fieldTable(fields) {
  const cells = rows(Object.entries(fields), ([name, { schema, docs, required }]) => [
    `\`${name}\`${required ? "" : "?"}`,
    `\`${typeText(schema)}\``,
    docs,
  ]);
  return cells === "" ? "None." : `| field | type | |\n| --- | --- | --- |\n${cells}`;
}

function toolNamesPage() {
  return `# Tool names\n\nA \`tools\` filter fits a tool under our name and under every name an agent gives it.\n\n| ours | also |\n| --- | --- |\n${rows(Object.entries(TOOL_NAMES), ([name, aliases]) => [`\`${name}\``, aliases.map((alias) => `\`${alias}\``).join(", ")])}`;
}

/**
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => readonly string[]} cells
 */
function rows(items, cells) {
  return items
    .map(
      (item) =>
        `| ${cells(item)
          .map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " "))
          .join(" | ")} |\n`,
    )
    .join("");
}
