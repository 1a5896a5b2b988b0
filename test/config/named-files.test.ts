import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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
    ["sh scripts/x\\\n.sh"],
    [`export D=scripts && sh -c '\${D}/x.sh'`],
    ["cd scripts && ./x.sh --now"],
    ["if ! scripts/x.sh; then exit 2; fi"],
    ["TOKEN=1 timeout 5 /usr/bin/env bash -eu 'scripts/x.sh' > log 2>&1"],
    ["/bin/mkdir -p old; jq -r .tool_name | xargs -n 1 scripts/x.sh"],
    [["sh", "-c", "exec sh scripts/x.sh"]],
    ["bash -o pipefail -c 'scripts/x.sh'"],
    ["bash -euo pipefail scripts/x.sh"],
    ["cat <<EOF > log\n./log is full\nEOF\nscripts/x.sh"],
    ["case $1 in (./data) exit 2;; *) scripts/x.sh;; esac"],
    ["(cat; scripts/x.sh) > log"],
    ["case $1 in b*) scripts/x.sh;; esac"],
    ["node -r ./scripts/x.sh other.js"],
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
    ["test -e data || touch data"],
    ["cat >> data"],
    ["jq -r .tool_name | tee -a data"],
    ["grep -q TODO data && { echo left >&2; exit 2; }; exit 0"],
    ["if grep -q TODO data 2>/dev/null; then echo Finish the list >&2; exit 2; fi"],
    ["sh scripts/x.sh --config=data < data > data"],
    ["scripts/x.sh data && sh data"],
    ["cat > log <<EOF\n./data is full\nEOF"],
    ["cat <<-'END' | tee log\n\t./data\n\tEND\nscripts/x.sh"],
    ["case $1 in ./data|./other) exit 2;; esac; scripts/x.sh"],
    ["files=( ./data ./other ); scripts/x.sh"],
    ["php -r 'echo 1;' ./data"],
    ["node --eval='0' ./data"],
    ["deno eval 'console.log(1)' ./data"],
    ["bash -euo pipefail -c 'cat >> data'"],
  ])("does not stand for other files of the command (%s), which may change", async (command) => {
    const files = withCommand(command, { "project/scripts/x.sh": "exit 0\n" });
    await files.trust();
    files.write("project/data", "written\n");
    expect(await refused(files)).toEqual([]);
    files.write("project/data", "written again\n");
    expect(await refused(files)).toEqual([]);
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
    ["sh {a,b}.sh", "{a,b}.sh"],
    [`sh "$(dirname "$1")/x.sh"`, "$(dirname $1)/x.sh"],
    ["sh `git root`/x.sh", "`git root`/x.sh"],
    ["$RUNNER --now", "$RUNNER"],
    ["true && $(cat name) now", "$(cat name)"],
  ])("as %s can't be known, and the review says so", async (command, unknown) => {
    const [item] = (await reviewTrust(withCommand(command).options)).items;
    expect(item?.text.split("\n")[0]).toBe(`(runs files that can't be known: ${unknown})`);
  });

  it.each(["echo $TENTERHOOK_TOOL", "npx check --fix", "$CLAUDE_PROJECT_DIR/x.sh", "D=a; $D/x.sh"])(
    "as %s is no reason to warn",
    async (command) => {
      const { items } = await reviewTrust(withCommand(command).options);
      expect(items.find(({ kind }) => kind === "configuration")?.text).toMatch(/^\{"hooks"/);
    },
  );
});

describe("other things that are run", () => {
  it("the script of a server, from where it starts", async () => {
    const files = project({
      "hooks.yaml": "mcp_servers: { s: { command: node, args: [server.js], cwd: tools } }",
      "project/tools/server.js": "1\n",
    });
    await files.trust();
    files.write("project/tools/server.js", "2\n");
    expect(await refused(files)).toEqual(["mcp_servers: tools/server.js has changed since it was trusted"]);
  });

  it("a module, but not what it imports, which is code of the project like any other", async () => {
    const files = project({
      "hooks.yaml":
        "hooks: { definitions: [{ name: x, type: module, module: ./guard.ts, matcher: { events: [PreToolUse] } }] }",
      "project/guard.ts": 'import "./lib.ts";\nexport default () => {};\n',
      "project/lib.ts": "export {};\n",
    });
    await files.trust();
    files.write("project/lib.ts", "changed();\n");
    expect(await refused(files)).toEqual([]);
    files.write("project/guard.ts", "changed();\n");
    expect(await refused(files)).toEqual(["x: guard.ts has changed since it was trusted"]);
  });
});
