import type { AgentStatus, HumanRequest } from "../../../src/shared/monitor/monitor.ts";
import type { SeenAgent } from "../../../src/terminal/top/port.ts";
import { WHICH_WAY } from "./watched-agents.ts";

/** The time on every golden screen, where the tests are. */
export const NOW = new Date(2026, 2, 9, 10, 6, 12).getTime();

function before(seconds: number): string {
  return new Date(NOW - seconds * 1000).toISOString();
}

function seenAgent(
  name: string,
  state: AgentStatus["state"],
  seconds: number,
  { what = "", asks, ...more }: Partial<AgentStatus> & Partial<Pick<SeenAgent, "what" | "asks">> = {},
): SeenAgent {
  const agent: AgentStatus = { agent_id: name, state, since: before(seconds), ...more };
  return { agent, name, what, ...(asks === undefined ? {} : { asks }) };
}

export const MIGRATION: HumanRequest = {
  id: "mh3kq1",
  agent_id: "codex in api",
  host: "codex",
  source: "question",
  context: "",
  options: [],
  questions: WHICH_WAY,
  state: "open",
  created_at: before(240),
  prompt: "p1",
  waits_until: before(-360),
};

/** What `look/terminal.md` draws. */
export const MORNING: readonly SeenAgent[] = [
  seenAgent("codex in api", "prompting", 240, {
    host: "codex",
    cwd: "/code/api",
    session_id: "0f3c9a7e-1111",
    task: "Rename the column total to total_net.",
    what: "The migration renames a column that two services read. Which way?",
    usage: { total_tokens: 48_200, cost_usd: 0.41, context_left: 0.61 },
    asks: { request: MIGRATION, title: "asks a question" },
  }),
  seenAgent("claude in shop", "prompting", 60, {
    host: "claude",
    what: "Bash: npm publish --access public",
    asks: {
      request: {
        ...MIGRATION,
        id: "mh4",
        source: "permission",
        context: "Bash: npm publish --access public",
        questions: [],
        options: [{ label: "allow" }, { label: "deny" }],
      },
      title: "needs a permission",
      elsewhere:
        "Answer in its own terminal: no hook of it waits (monitor.on_prompt: answer). x takes it off this list.",
    },
  }),
  seenAgent("claude in docs", "failed", 40, { what: "429 rate limited, tries again in 40 s" }),
  seenAgent("claude in api", "working", 12, {
    what: "Bash npm run test:integration",
    usage: { cost_usd: 9, context_left: 0.22 },
  }),
  seenAgent("gemini in web", "working", 3, {
    what: "Edit src/routes/cart.tsx",
    usage: { context_left: 0.88 },
  }),
  seenAgent("opencode in web", "working", 360, { what: "Bash cargo build", source: "inferred" }),
  seenAgent("codex in shop", "idle", 540, { what: "Finished: 3 files changed" }),
  seenAgent("nightly-deps", "exited", 7200, { exit_code: 0 }),
  seenAgent("old-one", "gone", 7300, {}),
];

/** So many agents, a tenth of which wait. */
export function manyAgents(count: number): readonly SeenAgent[] {
  return Array.from({ length: count }, (_, at) =>
    at % 10 === 0
      ? seenAgent(`waiting-${at}`, "prompting", at, { what: `Question ${at}?` })
      : seenAgent(`agent-${at}`, "working", at, { what: `Bash step ${at}`, cwd: `/code/p${at % 7}` }),
  );
}
