import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Project } from "../../cli/support/project.ts";
import { eventually } from "../../support/processes.ts";
import { clientProject, installInto } from "../support/client.ts";
import { CLINE, runCline } from "../support/cline.ts";
import { writeJson } from "../support/run-program.ts";

const { shell } = CLINE;
const inline = (rules: string, events: readonly string[] = ["PreToolUse"]) => ({
  name: "hook",
  type: "inline",
  matcher: { events },
  rules,
});
const REFUSES = inline('command contains "made" -> deny("Nothing is made here.")');
const REFUSES_ALL = inline('tool_name exists -> deny("Nothing at all.")');

const isThere = ({ cwd }: Project, name: string): boolean => existsSync(join(cwd, name));

/** Somebody else's hook file. */
function writeHook(file: string, reply: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\ncat > /dev/null\necho '${JSON.stringify(reply)}'\n`);
}

const MADE = { overrideInput: { commands: ["touch made"] } };

describe("a call of Cline that we refuse", () => {
  it("does not run whatever the tool is, and the model reads the reason", async () => {
    const project = clientProject();
    await installInto("cline", project, [REFUSES_ALL]);
    project.write("secret.txt", "xyzzy");
    const path = join(project.cwd, "made");
    const { lastSent, finish } = await runCline({
      project,
      script: [
        [
          ["editor", { path, new_text: "a" }],
          ["read_files", { files: [{ path: join(project.cwd, "secret.txt") }] }],
          ["team_spawn_teammate", { agentId: "bob", rolePrompt: "You help" }],
        ],
      ],
    });
    expect([isThere(project, "made"), lastSent.includes("xyzzy"), finish]).toEqual([
      false,
      false,
      "completed",
    ]);
    expect(lastSent.match(/Nothing at all\./g)).toHaveLength(3);
  });

  it("is one of several commands: none of them runs", async () => {
    const project = clientProject();
    await installInto("cline", project, [REFUSES]);
    const commands = ["touch other", "echo '", "touch made", { command: "touch", args: ["third"] }];
    const { lastSent } = await runCline({ project, script: [[["run_commands", { commands }]]] });
    expect(["made", "other", "third"].filter((name) => isThere(project, name))).toEqual([]);
    expect(lastSent).toContain("Nothing is made here.");
  });

  it("ends the run when it is one of an MCP server, which would run without input", async () => {
    const project = clientProject();
    await installInto("cline", project, [REFUSES_ALL]);
    const server = project.write("server.mjs", MCP_SERVER);
    const settings = { mcpServers: { things: { command: process.execPath, args: [server] } } };
    const { HOME = "" } = project.environment;
    writeJson(join(HOME, ".cline/data/settings/cline_mcp_settings.json"), settings);
    const script = [[["things__make", { name: "made" }]]] as const;
    const refused = await runCline({ project, script });
    expect([isThere(project, "made"), refused.finish]).toEqual([false, "aborted"]);
    // Without our hook it runs: the server is there.
    await project.run(["uninstall", "cline"]);
    await runCline({ project, script });
    expect(isThere(project, "made")).toBe(true);
  });

  it("does not run when somebody else's hook behind ours gives another input", async () => {
    const project = clientProject();
    await installInto("cline", project, [inline('command contains "bad" -> deny("No.")')]);
    writeHook(join(project.cwd, ".clinerules/hooks/PreToolUse"), MADE);
    const { finish } = await runCline({ project, script: [shell("echo bad")] });
    expect([isThere(project, "made"), finish]).toEqual([false, "aborted"]);
  });

  it("does not run when somebody else's hook before ours gives another input, and the run goes on", async () => {
    const project = clientProject();
    await installInto("cline", project, [inline('command contains "bad" -> deny("No.")')]);
    for (const name of ["PreToolUse", "PreToolUse.sh", "preToolUse.ts"])
      writeHook(join(project.cwd, ".cline/hooks", name), MADE);
    const { finish } = await runCline({ project, script: [shell("echo bad")] });
    expect([isThere(project, "made"), finish]).toEqual([false, "completed"]);
  });

  it("does not run when our program hangs", async () => {
    const project = clientProject();
    await installInto("cline", project, [REFUSES]);
    const file = join(project.cwd, ".cline/hooks/PreToolUse.zsh");
    writeFileSync(file, readFileSync(file, "utf8").replace("sleep 105", "sleep 2"));
    rmSync(join(project.folder, "bin/tenterhook"));
    writeFileSync(join(project.folder, "bin/tenterhook"), "#!/bin/sh\nexec sleep 600\n", { mode: 0o755 });
    const { lastSent } = await runCline({ project, script: [shell("touch made")] });
    expect([isThere(project, "made"), lastSent.includes("Tenterhook did not decide")]).toEqual([false, true]);
  });

  it("does not run for a teammate", async () => {
    const project = clientProject();
    await installInto("cline", project, [REFUSES]);
    const { requests } = await runCline({
      project,
      script: [
        [["team_spawn_teammate", { agentId: "bob", rolePrompt: "You help." }]],
        [["team_run_task", { agentId: "bob", task: "Make the SUBTASK file." }]],
      ],
      subagent: { word: "SUBTASK", script: [shell("touch made")] },
    });
    expect([isThere(project, "made"), JSON.stringify(requests).includes("Nothing is made here.")]).toEqual([
      false,
      true,
    ]);
  });
});

describe("Cline", () => {
  it("reads context of hooks before and after a call behind its result", async () => {
    const project = clientProject();
    await installInto("cline", project, [
      { ...inline('tool equals "Bash" -> context("Before: red.")'), name: "before" },
      { ...inline('tool equals "Bash" -> context("After: green.")', ["PostToolUse"]), name: "after" },
    ]);
    const { lastSent } = await runCline({ project, script: [shell("true")] });
    expect([lastSent.includes("Before: red."), lastSent.includes("After: green.")]).toEqual([true, true]);
  });

  it("does not read a result that a hook would replace: the run ends (declared)", async () => {
    const project = clientProject();
    const reply = { hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: "REPLACED" } };
    project.write("replace.sh", `#!/bin/sh\ncat <<'END'\n${JSON.stringify(reply)}\nEND\n`);
    const matcher = { events: ["PostToolUse"] };
    await installInto("cline", project, [{ name: "hook", type: "command", script: "replace.sh", matcher }]);
    const { requests, finish } = await runCline({ project, script: [shell("echo or''iginal")] });
    expect([requests.length, finish]).toEqual([1, "aborted"]);
  });

  it("has hooks told of the start and the end of a task, also of a subagent's", async () => {
    const project = clientProject();
    project.write("tell.sh", '#!/bin/sh\necho "$TENTERHOOK_EVENT" >> told\n');
    const matcher = { events: ["SessionStart", "SubagentStart", "SubagentStop", "Stop"] };
    await installInto("cline", project, [{ name: "tell", type: "command", script: "tell.sh", matcher }]);
    await runCline({
      project,
      script: [CLINE.startSubagent?.("Do the SUBTASK.") ?? ""],
      subagent: { word: "SUBTASK", script: ["done"] },
    });
    await eventuallyReads(join(project.cwd, "told"), [
      "SessionStart",
      "Stop",
      "SubagentStart",
      "SubagentStop",
    ]);
  });

  it("can't switch its own hooks off", async () => {
    const project = clientProject();
    await installInto("cline", project, [REFUSES]);
    const folder = join(project.cwd, ".cline/hooks");
    const before = readdirSync(folder);
    await runCline({
      project,
      script: [
        shell("rm -rf .cline"),
        [["editor", { path: join(folder, "PreToolUse.zsh"), old_text: "tenterhook hook", new_text: "true" }]],
        shell("mkdir -p .clinerules/hooks && cp x .clinerules/hooks/PreToolUse"),
        shell("touch made"),
      ],
    });
    expect([readdirSync(folder), isThere(project, ".clinerules"), isThere(project, "made")]).toEqual([
      before,
      false,
      false,
    ]);
    expect(readFileSync(join(folder, "PreToolUse.zsh"), "utf8")).toContain("| tenterhook hook &");
  });

  it("calls hooks once when the user's files and the project's name us", async () => {
    const project = clientProject();
    project.write("count.sh", "#!/bin/sh\necho ran >> ran\n");
    const hook = { name: "count", type: "command", script: "count.sh", matcher: { events: ["PreToolUse"] } };
    await installInto("cline", project, [hook]);
    await installInto("cline", project, [hook], { options: ["--user"] });
    await runCline({ project, script: [shell("touch made")] });
    expect([isThere(project, "made"), readFileSync(join(project.cwd, "ran"), "utf8")]).toEqual([
      true,
      "ran\n",
    ]);
  });
});

/** A server whose one tool makes a file, whatever its input is. */
const MCP_SERVER = `
import { createInterface } from "node:readline";
import { writeFileSync } from "node:fs";
const TOOL = { name: "make", description: "Makes a file.", inputSchema: { type: "object" } };
const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "things", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [TOOL] }),
  "tools/call": () => {
    writeFileSync(new URL("made", import.meta.url), "");
    return { content: [{ type: "text", text: "It is made." }] };
  },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = ANSWERS[method]?.(params) ?? {};
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
}
`;

async function eventuallyReads(file: string, lines: readonly string[]): Promise<void> {
  await eventually(() => expect(readFileSync(file, "utf8").trim().split("\n").sort()).toEqual(lines));
}
