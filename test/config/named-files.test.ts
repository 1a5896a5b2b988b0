import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { reviewTrust } from "tenterhook/config";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Project, project } from "./support/project.ts";
import { refused } from "./support/trusted.ts";

function withCommand(command: unknown, more: Readonly<Record<string, string>> = {}): Project {
  const definition = { name: "x", type: "command", command, matcher: { events: ["PreToolUse"] } };
  return project({ "hooks.json": JSON.stringify({ hooks: { definitions: [definition] } }), ...more });
}

describe("a script that a command names", () => {
  it.each([
    [`\${CLAUDE_PROJECT_DIR:-.}/scripts/x.sh`],
    [`\${NOWHERE:-scripts}/x.sh`],
    ["$(pwd)/scripts/x.sh"],
    ["`pwd`/scripts/x.sh"],
    ["D=scripts; $D/x.sh"],
    ["sh scripts/x$NOWHERE.sh"],
    [`sh scripts/x\${NOWHERE}.sh`],
    ["sh scripts/x\\\n.sh"],
    [`export D=scripts && sh -c '\${D}/x.sh'`],
    ["env -Cscripts ./x.sh"],
  ])("as %s is trusted by its bytes", async (command) => {
    const files = withCommand(command, { "project/scripts/x.sh": "exit 0\n" });
    await files.trust();
    expect(await refused(files)).toEqual([]);
    files.write("project/scripts/x.sh", "changed\n");
    expect(await refused(files)).toEqual(["x: scripts/x.sh has changed since it was trusted"]);
  });

  it.each(["~", "$HOME", `\${HOME}`])("below %s is trusted by its bytes", async (home) => {
    const folder = mkdtempSync(join(homedir(), ".tenterhook-test-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const script = join(folder, "x.sh");
    writeFileSync(script, "exit 0\n");
    const files = withCommand(`sh ${home}/${relative(homedir(), script)}`);
    await files.trust();
    writeFileSync(script, "changed\n");
    expect(await refused(files)).toEqual([expect.stringContaining("x.sh has changed since it was trusted")]);
  });

  it.each([
    ["cat >> audit.log"],
    ["cat>audit.log"],
    ["cat >| audit.log 2>&1"],
    ["date &>> ./audit.log; cat > /dev/null"],
    [`sh -c 'cat >> "$CLAUDE_PROJECT_DIR"/audit.log'`],
    ["jq -r .tool_name | tee -a audit.log"],
    [`cat | tee -a -- other.log "$CLAUDE_PROJECT_DIR/audit.log" > /dev/null`],
    ["date; touch ./audit.log"],
    ['cp "$(jq -r .transcript_path)" audit.log'],
    ["mkdir -p old; cp -f other.md ./audit.log && echo saved"],
    ["test -t 0 || rm -f 'audit.log'"],
  ])("only to write to it (%s) may change", async (command) => {
    const files = withCommand(command);
    await files.trust();
    files.write("project/audit.log", "written\n");
    expect(await refused(files)).toEqual([]);
    files.write("project/audit.log", "written again\n");
    expect(await refused(files)).toEqual([]);
  });

  it.each([
    ["grep -q TODO notes.md"],
    ["grep -q TODO ./notes.md && exit 2; exit 0"],
    [`cat "$CLAUDE_PROJECT_DIR/notes.md" | grep -v x | wc -l`],
    ["diff notes.md other.md || true"],
    ["! grep -q TODO notes.md"],
    ["if grep -q TODO notes.md 2>/dev/null; then echo Finish the list >&2; exit 2; fi"],
    ["grep -q TODO notes.md && { echo left >&2; exit 2; }; exit 0"],
  ])("only to read it (%s) may change", async (command) => {
    const files = withCommand(command, { "project/notes.md": "x\n" });
    await files.trust();
    files.write("project/notes.md", "changed\n");
    expect(await refused(files)).toEqual([]);
  });

  it.each([
    ["cat x.sh | sh"],
    ["cat x.sh | tee y"],
    ["grep -f x.sh -q y"],
    ["grep -q a x.sh; sh x.sh"],
    ["sh $(cat x.sh)"],
    ["./grep x.sh"],
    ["cat x.sh > y.sh; sh y.sh"],
    ["source x.sh && grep y z"],
    ["sh -c 'grep a; sh x.sh'"],
    ["awk -f x.sh"],
    ["cat x.sh; sh -c 'sh x.sh'"],
    ["cat x.sh; eval 'sh x.sh'"],
    ["cat x.sh; env -S'sh x.sh'"],
    ["S=x.sh; cat x.sh; sh $S"],
    ["ls x.sh; sh x.*"],
    ["rg --pre=x.sh y x.sh"],
    ["if grep -q a x.sh; then sh x.sh; fi"],
    ["! sh x.sh"],
    ["cat x.sh >&2 | sh"],
    ["grep -q a x.sh && { . ./x.sh; }"],
    ["cat x.sh {a,b}"],
  ])("by which something runs (%s) is trusted by its bytes", async (command) => {
    const files = withCommand(command, { "project/x.sh": "exit 0\n" });
    await files.trust();
    files.write("project/x.sh", "changed\n");
    expect(await refused(files)).toEqual(["x: x.sh has changed since it was trusted"]);
  });

  it.each([
    ["cat > x.sh; sh x.sh"],
    ["tee x.sh; sh x.sh"],
    ["cp other.md x.sh; sh x.sh"],
    ["cp x.sh other.md"],
    ["./cp other.md x.sh"],
    ["touch x.sh && ./x.sh"],
    ["./tee x.sh"],
    [`bash -c '. $0; tee ' x.sh 'y'`],
    ["cat <> x.sh"],
    ["cat < x.sh > audit.log"],
    ["tee >(sh x.sh)"],
    [`cat > \${F:=x.sh}; sh "$F"`],
    [`node -e '[0].map(a=>"./x.sh").map(require)'`],
    ["cat > audit.log\nsh x.sh"],
    ["cat > audit.log;sh x.sh"],
    ["cat > `sh x.sh`"],
  ])("that is also read or run (%s) is trusted by its bytes", async (command) => {
    const files = withCommand(command, { "project/x.sh": "exit 0\n" });
    await files.trust();
    files.write("project/x.sh", "changed\n");
    expect(await refused(files)).toEqual(["x: x.sh has changed since it was trusted"]);
  });

  it("outside of the project, by its path or through a link, is trusted by its bytes", async () => {
    const files = project({ "outside/x.sh": "exit 0\n", "project/in.sh": "exit 0\n" });
    symlinkSync(files.path("project"), files.path("link"));
    const commands = [["sh", files.path("outside/x.sh")], `sh ${files.path("link")}/in.sh`];
    const definitions = commands.map((command, at) => ({
      name: `x${at}`,
      type: "command",
      command,
      matcher: { events: ["PreToolUse"] },
    }));
    files.write("hooks.json", JSON.stringify({ hooks: { definitions } }));
    await files.trust();
    files.write("outside/x.sh", "changed\n");
    files.write("project/in.sh", "changed\n");
    expect(await refused(files)).toEqual([
      "x0: ../outside/x.sh has changed since it was trusted",
      "x1: ../link/in.sh has changed since it was trusted",
    ]);
  });

  it("in the shared memory of the system is trusted by its bytes", async ({ skip }) => {
    skip(!existsSync("/dev/shm"), "This machine has no /dev/shm.");
    const folder = mkdtempSync("/dev/shm/tenterhook-test-");
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const script = join(folder, "x.sh");
    writeFileSync(script, "exit 0\n");
    const files = withCommand(`sh ${script}`);
    await files.trust();
    writeFileSync(script, "changed\n");
    expect(await refused(files)).toEqual([expect.stringMatching(/x\.sh has changed since it was trusted$/)]);
  });

  it("without its ending is the one that the program finds", async () => {
    const files = withCommand("node scripts/log", { "project/scripts/log.js": "1\n" });
    await files.trust();
    files.write("project/scripts/log.js", "2\n");
    expect(await refused(files)).toEqual(["x: scripts/log.js has changed since it was trusted"]);
    const later = withCommand("node scripts/log");
    await later.trust();
    later.write("project/scripts/log.js", "1\n");
    expect(await refused(later)).toEqual(["x: scripts/log.js is not trusted yet"]);
  });

  it.each([
    ["$TOOLS/x.sh", "$TOOLS/x.sh"],
    ["sh scripts/*.sh", "scripts/*.sh"],
    ["sh x$PART.sh", "x$PART.sh"],
    ["ls *.sh | xargs -n1 sh", "*.sh"],
    ["sh {a,b}.sh", "{a,b}.sh"],
    [`sh "$(dirname "$1")/x.sh"`, `$(dirname "$1")/x.sh`],
    ["sh `git root`/x.sh", "`git root`/x.sh"],
    ["$RUNNER --now", "$RUNNER"],
    ["true && $(cat name) now", "$(cat"],
  ])("as %s can't be known, and the review says so", async (command, unknown) => {
    const [item] = (await reviewTrust(withCommand(command).options)).items;
    expect(item?.text.split("\n")[0]).toBe(`(runs files that can't be known: ${unknown})`);
  });

  it.each(["echo $TENTERHOOK_TOOL", "npx check --fix", "$CLAUDE_PROJECT_DIR/x.sh", "D=a; $D/x.sh"])(
    "as %s is no reason to warn",
    async (command) => {
      const [item] = (await reviewTrust(withCommand(command).options)).items;
      expect(item?.text).toMatch(/^\{/);
    },
  );
});

describe("other things that are run", () => {
  it("a server's files, from where it starts and by its variables", async () => {
    const files = project({
      "hooks.yaml":
        "mcp_servers: { s: { command: node, args: [server.js], cwd: tools, env: { NODE_OPTIONS: --require ./first.js } } }",
      "project/tools/server.js": "1\n",
      "project/tools/first.js": "1\n",
    });
    await files.trust();
    for (const name of ["server.js", "first.js"]) {
      files.write(`project/tools/${name}`, "2\n");
      expect(await refused(files)).toEqual([`mcp_servers: tools/${name} has changed since it was trusted`]);
      await files.trust();
    }
  });

  it("what a module imports relatively, also when it comes later", async () => {
    const files = project({
      "hooks.yaml":
        "hooks: { definitions: [{ name: x, type: module, module: ./guard.ts, matcher: { events: [PreToolUse] } }] }",
      "project/guard.ts":
        'import "./lib.ts";\nawait import("./later.js").catch(() => {});\nexport default () => {};\n',
      "project/lib.ts": 'import "./deep/more.js";\n',
    });
    mkdirSync(files.path("project/deep"));
    files.write("project/deep/more.ts", "export {};\n");
    await files.trust();
    expect(await refused(files)).toEqual([]);
    files.write("project/deep/more.ts", "evil();\n");
    expect(await refused(files)).toEqual(["x: deep/more.ts has changed since it was trusted"]);
    await files.trust();
    files.write("project/later.ts", "evil();\n");
    expect(await refused(files)).toEqual(["x: later.ts is not trusted yet"]);
  });
});
