import type { Scene } from "./scene.ts";

const usage = (total_tokens: number, cost_usd: number, context_left: number) => ({
  usage: { total_tokens, cost_usd, context_left },
});

/** What a team's agents look like on a busy day: some wait, one has failed, one has ended, the others work. */
export function busyDay({ report: reportAll, record, ago, cwd }: Scene): void {
  /** An agent that is named after a folder works there. */
  const report: Scene["report"] = (events) =>
    reportAll(
      events.map(([minutes, type, agent, fields = {}]) => {
        const [, folder] = / in (\w+)$/.exec(agent) ?? [];
        const place = folder === undefined ? {} : { cwd: `${cwd}/packages/${folder}` };
        return [minutes, type, agent, { ...place, ...fields }] as const;
      }),
    );
  const waits = { waits_until: ago(-10) };
  const claude = { host: "claude" };
  const codex = { host: "codex" };
  const turn = (prompt: string, more: object = {}) => ({ prompt, new_turn: true, ...more });
  report([
    [240, "agent:start", "claude in api", claude],
    [239, "agent:turn", "claude in api", turn("Make the integration tests pass")],
    [150, "agent:stopped", "claude in api", usage(320_000, 1.4, 0.4)],
    [120, "agent:turn", "claude in api", turn("Now the flaky one", usage(210_000, 0.91, 0.22))],
    [170, "agent:start", "claude in docs", claude],
    [
      169,
      "agent:turn",
      "claude in docs",
      turn("Rewrite the guide about releases", usage(301_000, 1.12, 0.38)),
    ],
    [
      8,
      "agent:error",
      "claude in docs",
      { error_type: "rate_limited", error_message: "429 from the provider, tries again in 40 s" },
    ],
    [100, "agent:start", "codex in shop", codex],
    [99, "agent:turn", "codex in shop", turn("Tidy the cart tests", usage(140_000, 0.52, 0.7))],
    [44, "agent:stopped", "codex in shop"],
    [600, "agent:start", "nightly-deps", { host: "tenterhook" }],
    [
      599,
      "agent:turn",
      "nightly-deps",
      turn("Read 41 changelogs and update what is safe", usage(1_210_000, 3.02, 0.49)),
    ],
    [95, "agent:start", "claude in shop", claude],
    [94, "agent:turn", "claude in shop", turn("Add the tax table", usage(38_000, 0.3, 0.9))],
    [70, "agent:stopped", "claude in shop"],
    [62, "agent:turn", "claude in shop", turn("Fix the tests of the tax table", usage(64_000, 0.52, 0.8))],
    [30, "agent:stopped", "claude in shop"],
    [12, "agent:turn", "claude in shop", turn("Release the cart package", usage(48_000, 0.21, 0.61))],
    [60, "agent:start", "reviewer-2", claude],
    [58, "agent:turn", "reviewer-2", turn("Plan how to split the checkout module", usage(96_000, 0.4, 0.82))],
    [50, "agent:start", "codex in api", codex],
    [49, "agent:turn", "codex in api", turn("Rename the column", usage(188_000, 0.71, 0.74))],
    [0, "agent:turn", "nightly-deps"],
    [0, "agent:turn", "claude in api"],
    [11, "agent:prompt", "reviewer-2", { prompt_type: "plan_approval", question: PLAN, ...waits }],
    [4, "agent:prompt", "codex in api", { prompt_type: "question", question: [QUESTION], ...waits }],
    [1, "agent:prompt", "claude in shop", { prompt_type: "permission", question: PERMISSION, ...waits }],
  ]);
  record([
    { minutes: 11.5, agent: "claude in shop", command: "npm test -w packages/cart", ms: 2 },
    {
      minutes: 10.2,
      agent: "claude in shop",
      command: "git push --force origin main",
      action: "deny",
      reason: "Use --force-with-lease on your own branch.",
    },
    { minutes: 9.7, agent: "claude in shop", command: "git push --force-with-lease origin release/3.2" },
    {
      minutes: 9.1,
      agent: "claude in shop",
      command: "npm version minor",
      hook: "tags-by-ci",
      reason: "tags-by-ci changed the call before it ran.",
      decision: { action: "allow", input: { command: "npm version minor --no-git-tag-version" } },
    },
    {
      minutes: 8.4,
      agent: "claude in shop",
      tool: "Edit",
      input: { file_path: "packages/cart/CHANGELOG.md", old_string: "a", new_string: "b" },
      hook: "changelog-review",
    },
    {
      minutes: 1,
      agent: "claude in shop",
      command: "npm publish --access public",
      action: "ask",
      hook: "ask-before-publishing",
      reason: "Publishing needs a person.",
    },
    { minutes: 2, agent: "claude in api", command: "npm run test:integration" },
    { minutes: 1, agent: "nightly-deps", tool: "WebFetch", input: { url: "https://example.com/changelog" } },
  ]);
  const hooks = ["no-force-push", "ask-before-publishing", "lint-on-edit", "secrets"];
  record(
    Array.from({ length: 400 }, (_, at) => {
      const day = at % 7;
      const minutes = 60 + day * 24 * 60 + ((at * 37) % 600);
      const kind = at % 23 === 0 ? "deny" : at % 17 === 0 ? "ask" : "continue";
      return {
        minutes,
        agent: `old-${at % 9}`,
        command: `${["npm test", "git status", "ls -la", "cargo build", "git push -f origin feature"][at % 5]} # ${at}`,
        hook: hooks[at % hooks.length] ?? "secrets",
        host: at % 5 === 0 ? "codex" : "claude",
        ms: 2 + (at % 9),
        ...(kind === "continue"
          ? {}
          : {
              action: kind,
              reason: kind === "deny" ? "Not here." : "A person decides.",
              rule: RULES[at % RULES.length] ?? "",
            }),
        ...(at === 77 || at === 177 ? { failure: "It took longer than 10 s.", hook: "lint-on-edit" } : {}),
      };
    }),
  );
}

const RULES = [
  'command runs "git push --force" -> deny("Not here.")',
  'command runs "npm publish" -> ask("A person decides.")',
  'path within ".env" -> deny("Not here.")',
];

const PERMISSION = {
  tool_name: "Bash",
  tool_input: { command: "npm publish --access public" },
};

const QUESTION = {
  question: "Two services read this column. Which way?",
  options: [
    { label: "Add a new column, copy, switch later", recommended: true },
    { label: "Rename now and deploy both together" },
    { label: "Leave it" },
  ],
};

const PLAN = "Split checkout in three steps, tests first.";
