// Writes the reference pages that tables and types can tell: `npm run docs`. `--check` only says whether they are
// what would be written.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { EVENTS } from "tenterhook";
import { configJsonSchema } from "tenterhook/config";
import { PACKS } from "tenterhook/rules";
import { agentPage } from "./docs/agent-page.mjs";
import { agentsPage, integrationsIn } from "./docs/agents-page.mjs";
import { cliPage } from "./docs/cli-page.mjs";
import { comparePage } from "./docs/compare-page.mjs";
import { configPage } from "./docs/config-page.mjs";
import { errorsPage } from "./docs/errors-page.mjs";
import { eventsPage } from "./docs/events-page.mjs";
import { foreignAgentPages } from "./docs/foreign-agent-pages.mjs";
import { casesPage, limitsPage, optionsPage } from "./docs/options-page.mjs";
import { packPages } from "./docs/packs-page.mjs";
import { repliesPage } from "./docs/replies-page.mjs";
import { rulesPage } from "./docs/rules-page.mjs";
import { importSource } from "./docs/source-tables.mjs";
import { teamPage } from "./docs/team-page.mjs";
import { triggersPage } from "./docs/triggers-page.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "docs", "reference");
const GENERATED = "<!-- Made by `npm run docs` from the tables and types in src. Do not edit. -->\n\n";

/** Written by `npm run obedience`, from what the agents on a machine did. */
const OBEDIENCE = "obedience.md";

/** @type {Map<string, string>} */
const pages = new Map();
/** @type {Record<string, import("tenterhook").EventRow>} */
const events = EVENTS;

/** @type {{ COMMON_FIELDS: import("../src/core/base/schemas.ts").Fields, EVENT_FIELDS: Record<string, import("../src/core/base/schemas.ts").Fields> }} */
const { COMMON_FIELDS, EVENT_FIELDS } = await importSource(root, "core/events/event-fields.ts");
const { USAGE_FIELDS } = await importSource(root, "shared/usage-fields.ts");
pages.set(
  "events.md",
  eventsPage(events, { common: COMMON_FIELDS, own: EVENT_FIELDS, usage: USAGE_FIELDS }, rows),
);
const { HINTS } = await importSource(root, "core/base/errors.ts");
pages.set("errors.md", errorsPage(HINTS, rows));
const { HOOK_SETTINGS } = await importSource(root, "core/registration/hook.ts");
const { MATCHER_FIELDS } = await importSource(root, "core/registration/matcher.ts");
const { LIMITS } = await importSource(root, "core/registration/limits.ts");
const { RULE_ACTIONS: actions } = await importSource(root, "rules/rule.ts");
pages.set("hook-options.md", optionsPage({ settings: HOOK_SETTINGS, matcher: MATCHER_FIELDS }, rows));
const { OPERATORS: operators, expectedValue: expected } = await importSource(
  root,
  "rules/operators/operators.ts",
);
const { BEHAVIOURS: behaviours } = await importSource(root, "rules/shell/analysis.ts");
const { FIELD_NAMES: fields } = await importSource(root, "rules/fields/fields.ts");
const { FILTER_NAMES: filters } = await importSource(root, "rules/template.ts");
pages.set("rules.md", rulesPage({ fields, operators, expected, behaviours, filters, actions }, rows));
const { TOP_KEYS: top, SPECIFIC_KEYS: specific } = await importSource(root, "handlers/reply/claude-keys.ts");
const { ACTION_KEYS: action } = await importSource(root, "handlers/reply/action-reply.ts");
pages.set("replies.md", repliesPage({ top, specific, action }, events, rows));
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
const integrations = await integrationsIn(root);
const rules = {
  ...(await importSource(root, "adapters/codec/agent-table.ts")),
  ...(await importSource(root, "adapters/codec/degrade.ts")),
};
pages.set("agents.md", agentsPage(integrations, rules, events));
for (const [file, text] of foreignAgentPages(integrations, rules, events, current(OBEDIENCE) ?? "", rows))
  pages.set(file, text);
pages.set("cli.md", await cliPage(root, rows));
pages.set("configuration.md", configPage(await configJsonSchema(), rows));

const stale = [...pages].filter(([file, text]) => current(file) !== GENERATED + text).map(([file]) => file);
const strange = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".md") && file !== OBEDIENCE && !pages.has(file),
);

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
