import { type Fields, field, neededField, schemas } from "../../core/base/schemas.ts";
import { atLeastOne } from "../../shared/monitor/schemas.ts";
import { MONITOR_SETTINGS } from "../../shared/monitor/settings.ts";

const stringByName = schemas.map(schemas.string, "an object with a string for each name");

const price = schemas.object({
  input: neededField(schemas.amount, "Input that is not cached."),
  output: neededField(schemas.amount, "Output, with what the model thinks."),
  cache_read: field(schemas.amount, "Input read from the provider's cache. Default: input."),
  cache_write: field(schemas.amount, "Input written to the provider's cache. Default: input."),
});

const degraded = schemas.word("deny", "observe", "refuse");

function section<Rows extends Fields>(docs: string, rows: Rows) {
  return field(schemas.object(rows), docs);
}

/** Its type names the table, which would otherwise be in the declarations twice. */
interface MonitorSection {
  readonly schema: { readonly is: "object"; readonly fields: typeof MONITOR_SETTINGS; readonly must: string };
  readonly docs: string;
}

const monitor: MonitorSection = section("What the monitor does by itself.", MONITOR_SETTINGS);

/** The top-level keys apart from `hooks`. */
export const SECTIONS = {
  models: section("Which models are used.", {
    default: field(schemas.text, "The agent's model: provider/model."),
    fallback: field(schemas.texts, "Models to continue with when it fails."),
    rate_limit: field(
      schemas.map(atLeastOne, "an object with a number for each model or pattern"),
      "Requests a minute of our agent and its subagents, by provider/model or pattern: { anthropic/*: 50 }. One beyond that waits.",
    ),
    judge: field(
      schemas.text,
      "The model of llm and agent hooks. Default haiku: the small model of a provider whose key is set.",
    ),
    judge_cache_seconds: field(schemas.amount, "How long a verdict is cached; 0 is not at all. Default 300."),
    judge_budget: field(schemas.amount, "Verdicts in one session. Default 200."),
    prices: field(
      schemas.map(price, "an object with a price for each provider/model"),
      "US dollars for a million tokens, by provider/model: { input, output, cache_read, cache_write }. They override the list prices.",
    ),
  }),
  permissions: section("What the agent may do without asking.", {
    mode: field(
      schemas.word("default", "plan", "accept-edits", "bypass", "dont-ask"),
      "What happens to calls without a rule.",
    ),
    deny: field(schemas.texts, "Calls that are refused: Tool(specifier)."),
    ask: field(schemas.texts, "Calls a human is asked about."),
    allow: field(schemas.texts, "Calls that run without asking."),
  }),
  sandbox: section("Where commands run.", {
    mode: field(
      schemas.word("off", "read-only", "workspace-write"),
      "What commands can change. Default off.",
    ),
  }),
  memory: section("What the agent remembers.", {
    files: field(schemas.texts, "The agent's memory files. Default AGENTS.md, CLAUDE.md."),
  }),
  compaction: section("When and how the agent shortens a long conversation.", {
    threshold_tokens: field(
      schemas.positive,
      "Shorten when the model was sent more tokens than this. Default: three quarters of the model's context window, 100000 when it is unknown.",
    ),
    keep_tokens: field(
      schemas.positive,
      "About how many tokens of the last messages stay as they are. Default: a fifth of the threshold.",
    ),
    model: field(schemas.text, "Writes the summary: provider/model. Default: the agent's model."),
    instructions: field(schemas.text, "What the summary must contain in addition to the usual."),
  }),
  agents: section("How many agents work.", {
    max_concurrency: field(
      atLeastOne,
      "How many subagents of one session of our agent work at the same time; the others wait. Default: as many as it starts.",
    ),
  }),
  checkpoints: section("When Checkpoint events fire.", {
    messages: field(
      schemas.positive,
      "Fire a Checkpoint event within a turn after this many messages. Default: only when a turn ends.",
    ),
  }),
  mcp_servers: field(
    schemas.map(
      schemas.object({
        command: field(schemas.text, "The program of a local server."),
        args: field(schemas.list(schemas.string, "a list of strings"), "Its arguments."),
        env: field(stringByName, "Its variables."),
        cwd: field(schemas.text, "The folder it starts in."),
        url: field(schemas.text, "The address of a remote server."),
        headers: field(stringByName, "Headers for a remote server."),
      }),
      "an object with a server for each name",
    ),
    "MCP servers by name.",
  ),
  monitor,
  daemon: field(
    schemas.boolean,
    "false: no daemon is started, and each call is decided by a process of its own. Default true.",
  ),
  self_protection: section("Calls that change the hooks themselves are asked about.", {
    enabled: field(schemas.boolean, "Default true. Counts in managed and user files only."),
  }),
  mods: section("Plug-ins of Claude Code that may act by themselves.", {
    allow: field(
      schemas.texts,
      "Plug-ins whose code may start programs and write files, which no gate sees: name@hash, as install and doctor print it. Counts in managed and user files only.",
    ),
  }),
  degrade: section("What happens where an agent can't do it: deny, observe or refuse.", {
    ask: field(degraded, "Where an agent can't ask."),
    rewrite: field(degraded, "Where an agent can't rewrite."),
  }),
} as const satisfies Fields;

/** The names of the top-level keys apart from `hooks`. */
export type SectionName = keyof typeof SECTIONS;
