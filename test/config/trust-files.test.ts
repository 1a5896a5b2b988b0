import { mkdirSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hooksFile, project } from "./support/project.ts";
import { commands, refused } from "./support/trusted.ts";

describe("files that are run", () => {
  it.each<[what: string, definition: string, file: string]>([
    ["a script", "type: command, script: tools/a.sh", "tools/a.sh"],
    ["a module", "type: module, module: ./tools/guard.ts", "tools/guard.ts"],
    ["a word of a shell line", "type: command, command: 'date; python tools/a.py --fast'", "tools/a.py"],
    ["a program of an argument list", "type: command, command: [./tools/run, now]", "tools/run"],
    ["an argument", "type: command, command: node, args: [tools/a.js]", "tools/a.js"],
    ["a quoted name", `type: command, command: "bash -c 'sh \\"my tools/a b.sh\\"'"`, "my tools/a b.sh"],
    [
      "a name below the project's variable",
      'type: command, command: "$CLAUDE_PROJECT_DIR/tools/a.sh"',
      "tools/a.sh",
    ],
    [
      "a name below a variable that the definition sets",
      'type: command, command: "$TOOLS/a.sh", set_env: { TOOLS: tools }',
      "tools/a.sh",
    ],
    ["a name after a change of folder", "type: command, command: cd tools && ./a.sh", "tools/a.sh"],
    ["a part of a composition", "type: all, all: [{ type: command, script: tools/a.sh }]", "tools/a.sh"],
    ["a server's program", "type: mcp, server: docs, tool: check", ".mcp.json"],
  ])("%s is trusted by its bytes", async (_, definition, file) => {
    const files = project({
      "hooks.yaml": `hooks: { definitions: [{ name: x, ${definition}, matcher: { events: [PreToolUse] } }] }`,
      [`project/${file}`]: "{}",
    });
    await files.trust();
    expect(await refused(files)).toEqual([]);
    files.write(`project/${file}`, "[]");
    expect(await refused(files)).toEqual([`x: ${file} has changed since it was trusted`]);
  });

  it("are found in a project whose path has blanks", async () => {
    const files = project({
      "project/my app/.tenterhook/hooks.yaml":
        'hooks: { definitions: [{ name: x, type: command, command: "$CLAUDE_PROJECT_DIR/a.sh", matcher: { events: [Stop] } }] }',
      "project/my app/a.sh": "exit 0\n",
    });
    const { items } = await files.trust(files.path("project/my app"));
    expect(items.map(({ id, needs }) => [id, needs])).toEqual([
      [".tenterhook/hooks.yaml", ["a.sh"]],
      ["a.sh", []],
    ]);
  });

  it("are those of discovered scripts, used files, packages, servers and .agent/hook.toml too", async () => {
    const files = project({
      "hooks.yaml":
        'hooks: { use: [./team.yaml, "@acme/x"] }\nmcp_servers: { s: { command: node, args: [server.js] } }',
      "team.yaml": hooksFile("t"),
      "project/.tenterhook/hooks/on-stop.sh": "exit 0\n",
      "project/node_modules/@acme/x/hooks.yaml":
        "hooks: { definitions: [{ name: p, type: command, script: bin/p.sh, matcher: { events: [Stop] } }] }",
      "project/node_modules/@acme/x/bin/p.sh": "exit 0\n",
      "project/server.js": "1\n",
      "project/.agent/hook.toml": '[turn_end]\ncommand = "sh"\nargs = ["end.sh"]\n',
      "project/end.sh": "exit 0\n",
    });
    await files.trust();
    expect(await refused(files)).toEqual([]);
    const changes: readonly [string, string, string][] = [
      ["project/.tenterhook/team.yaml", "t", "it"],
      ["project/.tenterhook/hooks/on-stop.sh", "on-stop.sh", ".tenterhook/hooks/on-stop.sh"],
      ["project/node_modules/@acme/x/bin/p.sh", "p", "node_modules/@acme/x/bin/p.sh"],
      ["project/server.js", "mcp_servers", "server.js"],
      ["project/end.sh", "turn_end", "end.sh"],
    ];
    for (const [file, name, changed] of changes) {
      files.write(file, file.endsWith("yaml") ? `${hooksFile("t")}\n# more` : "echo changed\n");
      expect(await refused(files)).toContain(`${name}: ${changed} has changed since it was trusted`);
    }
  });

  it("may be missing, and are untrusted when they come", async () => {
    const files = commands();
    rmSync(files.path("project/scripts/off.sh"));
    await files.trust();
    expect(await refused(files)).toEqual([]);
    files.write("project/scripts/off.sh", "evil\n");
    expect(await refused(files)).toEqual(["off: scripts/off.sh has changed since it was trusted"]);
  });

  it("may be links out of the project, which count with where they lead", async () => {
    const files = commands();
    files.write("outside/a.sh", "exit 0\n");
    files.write("outside/b.sh", "exit 0\n");
    const link = files.path("project/scripts/off.sh");
    rmSync(link);
    symlinkSync(files.path("outside/a.sh"), link);
    const { items } = await files.trust();
    expect(items.find(({ name }) => name === "scripts/off.sh")?.text).toBe(
      `(leads to ${files.path("outside/a.sh")})\nexit 0\n`,
    );
    expect(await refused(files)).toEqual([]);
    rmSync(link);
    symlinkSync(files.path("outside/b.sh"), link);
    expect(await refused(files)).toEqual(["off: scripts/off.sh has changed since it was trusted"]);
    rmSync(link);
    symlinkSync(files.path("outside/a.sh"), link);
    expect(await refused(files)).toEqual([]);
    files.write("outside/a.sh", "exit 1\n");
    expect(await refused(files)).toEqual(["off: scripts/off.sh has changed since it was trusted"]);
  });

  it("can't be trusted when they are too large or no plain files", async () => {
    const files = commands();
    files.write("project/scripts/log.py", "");
    // A file with a hole takes no room.
    truncateSync(files.path("project/scripts/log.py"), 100_000_001);
    rmSync(files.path("project/scripts/off.sh"));
    mkdirSync(files.path("project/scripts/off.sh"));
    const { items } = await files.trust();
    expect(items.flatMap(({ name, problem }) => (problem === undefined ? [] : [[name, problem]]))).toEqual([
      ["scripts/log.py", "has more than 100 MB, or all files together more than can be trusted"],
      ["scripts/off.sh", "is a folder"],
    ]);
    expect(await refused(files)).toEqual([
      "log: scripts/log.py has more than 100 MB, or all files together more than can be trusted",
      "off: scripts/off.sh is a folder",
    ]);
  });
});
