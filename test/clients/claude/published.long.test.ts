import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it, vi } from "vitest";
import { isRecord } from "../../../src/core/base/json.ts";
import type { Project } from "../../cli/support/project.ts";
import { trustProject } from "../../support/trust-project.ts";
import { runClaude } from "../support/claude.ts";
import { clientProject, type Step } from "../support/client.ts";
import { useHooks } from "../support/hooked-project.ts";
import type { Way } from "../support/shapes.ts";

/* A project with hooks as people publish them, in a session of the real Claude Code: native, and imported. */

vi.setConfig({ testTimeout: 300_000 });

const GUARD = `#!/bin/bash
set -euo pipefail
input=$(cat)
command=$(jq -r '.tool_input.command // ""' <<<"$input")
if grep -qE 'rm +-[a-z]*r[a-z]*f' <<<"$command"; then
  echo "BLOCKED: recursive delete: $command" >&2
  exit 2
fi
exit 0
`;
const PROTECT = `import json, sys
event = json.load(sys.stdin)
path = event.get("tool_input", {}).get("file_path", "")
if path.endswith(".pem"):
    print(json.dumps({"hookSpecificOutput": {"hookEventName": event["hook_event_name"],
        "permissionDecision": "deny", "permissionDecisionReason": f"{path} holds a key."}}))
`;
const FORMAT = `const { readFileSync, writeFileSync } = require("node:fs");
const { tool_input } = JSON.parse(readFileSync(0, "utf8"));
const file = tool_input.file_path;
if (!file.endsWith(".js")) process.exit(0);
const text = readFileSync(file, "utf8");
writeFileSync(file, text.replaceAll("\\t", "  "));
if (text.includes("debugger")) { console.error("Remove the debugger statement."); process.exit(2); }
`;
const LOG = `#!/usr/bin/env -S python3
import json, os, sys
event = json.load(sys.stdin)
os.makedirs("logs", exist_ok=True)
path = f"logs/{event['hook_event_name']}.json"
entries = json.load(open(path)) if os.path.exists(path) else []
entries.append([event.get("tool_name"), event.get("source"), sorted(event.get("tool_input", {})), "agent_id" in event])
json.dump(entries, open(path, "w"), indent=1)
`;
const BRANCH = `#!/usr/bin/env bash
cd "$CLAUDE_PROJECT_DIR" || exit 0
branch=$(git symbolic-ref --short HEAD 2>/dev/null)
case $(jq -r .tool_input.command) in
  "git commit"*) [ "$branch" = main ] && { echo '{"decision":"block","reason":"No commits on main."}'; exit 0; } ;;
esac
exit 0
`;
const LOOP = `import json, os, sys
event = json.load(sys.stdin)
count = int(open("loops").read()) if os.path.exists("loops") else 0
if count < 3:
    open("loops", "w").write(str(count + 1))
    print(json.dumps({"decision": "block", "reason": f"Iteration {count + 1}: continue."}))
`;
const DRY = `jq -c 'if (.tool_input.command | startswith("deploy")) then
  {hookSpecificOutput: {hookEventName: "PreToolUse", permissionDecision: "allow", updatedInput: (.tool_input + {command: "echo dry > deployed"})}}
  else empty end'`;
const SECRET = `python3 -c "import json, sys; path=json.load(sys.stdin).get('tool_input',{}).get('file_path',''); sys.exit(2 if any(p in path for p in ['.env', 'package-lock.json', '.git/']) else 0)"`;

const HOOKS = {
  PreToolUse: [
    {
      matcher: "Bash",
      hooks: [{ type: "command", command: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh' }],
    },
    { matcher: "Bash", hooks: [{ type: "command", command: "$CLAUDE_PROJECT_DIR/.claude/hooks/branch.sh" }] },
    { matcher: "Bash", hooks: [{ type: "command", command: DRY, timeout: 10 }] },
    {
      matcher: "Edit|MultiEdit|Write",
      hooks: [
        { type: "command", command: "python3 .claude/hooks/protect.py" },
        { type: "command", command: SECRET },
      ],
    },
    { matcher: "", hooks: [{ type: "command", command: ".claude/hooks/log.py" }] },
  ],
  PostToolUse: [
    { matcher: "Write|Edit", hooks: [{ type: "command", command: "node .claude/hooks/format.js" }] },
    {
      matcher: "Bash",
      hooks: [{ type: "command", command: "jq -r '.tool_input.command' >> ~/bash-log.txt" }],
    },
    { hooks: [{ type: "command", command: "nothing-like-this-is-installed --json" }] },
  ],
  UserPromptSubmit: [
    {
      hooks: [
        { type: "command", command: 'echo "Branch: $(git symbolic-ref --short HEAD)"' },
        { type: "command", command: "jq -r .prompt >> prompts.txt; echo '{\"continue\": true}'" },
      ],
    },
  ],
  SessionStart: [
    {
      matcher: "startup",
      hooks: [
        { type: "command", command: "cat notes.md; echo 'export COLOUR=blue' >> \"$CLAUDE_ENV_FILE\"" },
        { type: "command", command: ".claude/hooks/log.py" },
      ],
    },
  ],
  Stop: [{ hooks: [{ type: "command", command: "python3 .claude/hooks/loop.py" }] }],
  SubagentStop: [
    { hooks: [{ type: "command", command: "jq -c '[.agent_type, .stop_hook_active]' >> agents.jsonl" }] },
  ],
  SessionEnd: [{ hooks: [{ type: "command", command: "jq -r .reason > ended.txt", timeout: 5 }] }],
};

const bash = (command: string): Step => [["Bash", { command, description: "Run it" }]];
const write = (project: Project, name: string, content: string): Step => [
  ["Write", { file_path: join(project.cwd, name), content }],
];
const TASK = { description: "Look", prompt: "SUBTASK: look", subagent_type: "general-purpose" };

async function session(way: Way) {
  const project = clientProject();
  const scripts = { "guard.sh": GUARD, "protect.py": PROTECT, "format.js": FORMAT, "log.py": LOG };
  for (const [name, text] of Object.entries({ ...scripts, "branch.sh": BRANCH, "loop.py": LOOP }))
    chmodSync(project.write(`.claude/hooks/${name}`, text), 0o755);
  project.write("notes.md", "Use tabs.\n");
  execFileSync("git", ["init", "-q", "-b", "main"], { cwd: project.cwd });
  await useHooks(way, project, HOOKS);
  const { requests } = await runClaude({
    project,
    script: [
      bash("echo $COLOUR > colour"),
      bash("rm -rf build"),
      bash("git commit -m x"),
      bash("deploy --now"),
      write(project, "key.pem", "x"),
      write(project, ".env", "A=1"),
      write(project, "app.js", "if (x) {\n\tdebugger\n}\n"),
      [["Agent", { ...TASK, run_in_background: false }]],
    ],
    subagent: { word: "SUBTASK", script: [bash("touch below")] },
  });
  return { files: filesOf(project), sent: requests.map(({ body }) => sentIn(body.messages, project)) };
}

/** Every file of the project and the home folder that hooks or tools wrote, with its text. */
function filesOf({ cwd, folder }: Project): Readonly<Record<string, string>> {
  const own = /^(?:project\/\.(?:claude|tenterhook|git)\/|home\/(?!bash-log))/;
  const files = [cwd, join(folder, "home")]
    .flatMap((place) => readdirSync(place, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    files
      .map((file) => [relative(folder, file), file] as const)
      .filter(([name]) => !own.test(name))
      .map(([name, file]) => [name, readFileSync(file, "utf8").replaceAll(folder, "FOLDER")]),
  );
}

const FRAME =
  /\w+(?::\w+)? hook (?:error|success|additional context|blocking error from command: "[^"]*"):\s*(?:\[.*\]: )?/g;
const SILENT = "A hook ended with exit code 2 and wrote nothing to stderr.";

/** What hooks and tools said in a request, without what Claude Code puts around it and what is never the same twice. */
function sentIn(messages: unknown, { folder }: Project): readonly string[] {
  const last = Array.isArray(messages) ? messages.at(-1) : undefined;
  return textsIn(last)
    .filter((text) => !text.startsWith("<system-reminder>\nAs you answer"))
    .map((text) =>
      text
        .replaceAll(folder, "FOLDER")
        .replaceAll(/\ba[0-9a-f]{16}\b/g, "AGENT")
        .replaceAll(/duration_ms: \d+/g, "TIME")
        .replaceAll(FRAME, "HOOK ")
        .replaceAll("No stderr output", SILENT)
        .replaceAll(/\n*This hook comes from the \S+ plugin\./g, "")
        .replaceAll(/\n{2,}/g, "\n")
        .trim(),
    );
}

function textsIn(content: unknown): readonly string[] {
  if (typeof content === "string") return [content];
  if (Array.isArray(content)) return content.flatMap(textsIn);
  if (!isRecord(content)) return [];
  return typeof content.text === "string" ? [content.text] : textsIn(content.content);
}

it("sixteen hooks of a project do the same after an import", async () => {
  const native = await session("native");
  expect(Object.keys(native.files)).toContain("project/logs/PreToolUse.json");
  expect(await session("imported")).toEqual(native);
});

it("a plug-in does the same after an import of its folder", async () => {
  const guard = `#!/bin/sh
[ "$CLAUDE_PLUGIN_ROOT" = "\${0%/scripts/*}" ] || exit 1
case $(cat) in *forbidden*) echo "From $(cat "$CLAUDE_PLUGIN_ROOT/name.txt")" >&2; exit 2 ;; esac
`;
  const hooks = {
    description: "Guards",
    hooks: {
      SessionStart: [
        { hooks: [{ type: "command", command: 'cat "$' + '{CLAUDE_PLUGIN_ROOT}/notes.md"', timeout: 10 }] },
      ],
      PreToolUse: [
        {
          matcher: "Bash",
          hooks: [{ type: "command", command: "$" + "{CLAUDE_PLUGIN_ROOT}/scripts/guard.sh" }],
        },
      ],
      PostToolUse: [
        {
          matcher: "Bash",
          hooks: [
            { type: "command", command: "cp", args: ["$" + "{CLAUDE_PLUGIN_ROOT}/name.txt", "copied.txt"] },
          ],
        },
      ],
    },
  };
  const seen = async (way: Way) => {
    const project = clientProject();
    const folder = join(project.folder, "plugin");
    project.write(
      "../plugin/.claude-plugin/plugin.json",
      JSON.stringify({ name: "guards", version: "1.0.0" }),
    );
    project.write("../plugin/hooks/hooks.json", JSON.stringify(hooks));
    project.write("../plugin/name.txt", "the plug-in");
    project.write("../plugin/notes.md", "Mind the gap.");
    chmodSync(project.write("../plugin/scripts/guard.sh", guard), 0o755);
    if (way === "imported") {
      await project.run(["import", "claude", folder, "--yes"]);
      await trustProject(project.cwd, project.environment);
      await project.run(["install", "claude"]);
    }
    const args = way === "native" ? ["--plugin-dir", folder] : [];
    const { requests } = await runClaude({
      project,
      args,
      script: [bash("touch made"), bash("echo forbidden > made2")],
    });
    const sent = requests.map(({ body }) => sentIn(body.messages, project)).slice(1);
    const isTold = JSON.stringify(requests[0]?.body.messages).includes("Mind the gap.");
    return { files: filesOf(project), sent, isTold };
  };
  const native = await seen("native");
  expect([native.isTold, Object.keys(native.files).sort()]).toEqual([
    true,
    ["project/copied.txt", "project/made"],
  ]);
  expect(await seen("imported")).toEqual(native);
});
