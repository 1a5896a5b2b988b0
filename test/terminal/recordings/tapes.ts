import { newProject } from "../../cli/support/project.ts";
import { chatProject } from "../support/chat-project.ts";
import { inTerminal, type Terminal } from "../support/tmux.ts";
import { WHICH_WAY, watchedAgents } from "../support/watched-agents.ts";

/** Waits for something on the screen; what is shown then is kept for so many seconds. */
export interface Scene {
  readonly shows: string | RegExp;
  readonly seconds?: number;
  /** True for the one that a picture shows which does not move. Default: the last. */
  readonly still?: true;
  /** True when something moves meanwhile. */
  readonly moves?: true;
  /** Typed afterwards: keys as tmux names them, or text. */
  readonly keys?: readonly string[];
  readonly types?: string;
}

export interface Tape {
  readonly name: string;
  readonly columns: number;
  readonly rows: number;
  readonly start: (size: { readonly columns: number; readonly rows: number }) => Promise<Terminal>;
  readonly scenes: readonly Scene[];
}

const NO_FORCE_PUSH = {
  name: "no-force-push",
  type: "inline",
  matcher: { events: ["PreToolUse"], tools: ["Bash"] },
  rules: 'command runs "git push --force" -> deny("Use --force-with-lease on your own branch.")',
};
/** A session as Claude Code records it. */
function session(cwd: string, commands: readonly string[]): string {
  return commands
    .map((command, at) =>
      JSON.stringify({
        type: "assistant",
        parentUuid: null,
        sessionId: "5b1f2c3d-0000-4000-8000-000000000001",
        cwd,
        timestamp: `2026-03-09T10:0${at % 10}:00.000Z`,
        message: {
          role: "assistant",
          content: [{ type: "tool_use", id: `t${at}`, name: "Bash", input: { command } }],
        },
      }),
    )
    .join("\n");
}

const bash = (command: string) => ({ name: "Bash", input: { command } });
const END = /exit code 0/;

export const TAPES: readonly Tape[] = [
  {
    name: "explain",
    columns: 80,
    rows: 12,
    start: async (size) => {
      const project = newProject();
      await project.configure([], { use: ["safe-shell", "protect-secrets"] });
      return inTerminal(project, ["explain", "rm -rf ~"], size);
    },
    scenes: [{ shows: END, seconds: 1 }],
  },
  {
    name: "replay",
    columns: 80,
    rows: 20,
    start: async (size) => {
      const project = newProject();
      await project.configure([], { use: ["safe-shell", "git-safety"] });
      const commands = [
        "npm test",
        "git push --force origin main",
        "rm -rf ~",
        "ls",
        "git status",
        "git push --force origin main",
      ];
      project.write("session.jsonl", session(project.cwd, commands));
      return inTerminal(project, ["replay", "session.jsonl"], size);
    },
    scenes: [{ shows: END, seconds: 1 }],
  },
  {
    name: "chat",
    columns: 80,
    rows: 26,
    start: async (size) => {
      const tests = "echo '> vitest run'; echo ' ✓ cart.test.ts (31)'; sleep 2; echo ' ✓ tax.test.ts (12)'";
      const stop = { name: "tests-pass", type: "command", command: ["sh", "-c", tests] };
      const { chat } = chatProject(
        [
          {
            text: "I'll run its **tests** first.",
            tool_calls: [bash("echo 142 passed"), bash("git push --force origin main")],
          },
          { tool_calls: [bash("echo npm publish --access public")] },
          { text: "`@acme/cart` 3.2.0 is published." },
        ],
        {
          permissions: { allow: ["Bash(echo 142:*)", "Bash(git:*)"] },
          hooks: { definitions: [NO_FORCE_PUSH, { ...stop, matcher: { events: ["Stop"] } }] },
        },
      );
      return chat([], size);
    },
    scenes: [
      { shows: /3 hooks +\/help/, seconds: 1, types: "Release the cart package" },
      { shows: "› Release the cart package", seconds: 1, keys: ["Enter"] },
      { shows: "refuse and say why", seconds: 3, keys: ["y"], still: true },
      { shows: /cart\.test\.ts \(31\)/, seconds: 2, moves: true },
      { shows: /is published\.[\s\S]*\/help/, seconds: 4 },
    ],
  },
  {
    name: "top",
    columns: 100,
    rows: 16,
    start: async (size) => {
      const { project, report, ask } = await watchedAgents();
      // By name, as the list shows agents that began in the same millisecond.
      report("agent:turn", "claude-api", { prompt: "Make the integration tests pass." });
      report("agent:turn", "gemini-web", { prompt: "Show the tax in src/routes/cart.tsx." });
      ask("codex-api", WHICH_WAY);
      return inTerminal(project, ["agents", "-w"], size);
    },
    scenes: [
      { shows: /codex-api[\s\S]*Leave it/, seconds: 3, keys: ["?"] },
      { shows: "any key", seconds: 3, keys: ["Escape"] },
      { shows: /codex-api[\s\S]*Leave it/, seconds: 1 },
    ],
  },
  {
    name: "demo",
    columns: 80,
    rows: 30,
    start: async (size) => inTerminal(newProject(), ["run", "--demo"], size),
    scenes: [
      { shows: "denied by safe-shell-files", seconds: 4, moves: true, still: true },
      { shows: /protect-production, asked/, seconds: 4, moves: true },
      { shows: "keeps it going", seconds: 4, moves: true },
      { shows: "is gone.", seconds: 3, moves: true },
      { shows: END, seconds: 5 },
    ],
  },
];
