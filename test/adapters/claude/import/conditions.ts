/** A call of a tool. */
export type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];
type Row = readonly [condition: string, call: Call];

const sh = (command: string): Call => ["Bash", { command }];
const file = (tool: string, path: string): Call => [tool, { file_path: path }];

/** Conditions of Claude Code and calls in /project for which they hold, as version 2.1.325 does. */
export const HOLD: readonly Row[] = [
  ["Bash(git push:*)", sh("git push")],
  ["Bash(git push:*)", sh("git push origin main")],
  ["Bash(git push *)", sh("git push")],
  ["Bash(git push)", sh("git push")],
  ["Bash(git *)", sh("git pushx")],
  ["Bash(*push*)", sh("git -C x push")],
  ["Bash(git push:*)", sh("cd x && git push")],
  ["Bash(git push:*)", sh("FOO=1 git push")],
  ["Bash(git push:*)", sh("echo $(git push)")],
  ["Bash(git push:*)", sh("'git'  push > out 2>&1")],
  ["Bash(git push:*)", sh("ls | xargs git push")],
  ["Bash(git push:*)", sh("if true; then git push; fi")],
  ["Bash(rm *)", sh("A=$(rm -rf /)")],
  ["Bash(git push:*)", sh("$CMD push")],
  ["Bash(git push:*)", sh("ls (((")],
  ["Bash(npm run test)", sh('eval "$X"')],
  ["Bash()", sh("ls")],
  ["Bash(*)", sh("ls")],
  ["Bash", sh("ls")],
  ["Edit", file("Edit", "/else/where")],
  ["Edit(src/**)", file("Edit", "/project/src/d/a.ts")],
  ["Edit(./src/**)", file("Edit", "/project/src/a.ts")],
  ["Edit(/src/**)", file("Edit", "/project/src/a.ts")],
  ["Edit(src/*)", file("Edit", "/project/src/a.ts")],
  ["Edit(src/)", file("Edit", "/project/src/d/a.ts")],
  ["Edit(*.ts)", file("Edit", "/project/lib/b.ts")],
  ["Edit(//etc/**)", file("Edit", "/etc/passwd")],
  ["Write(src/**)", file("Write", "/project/src/a.ts")],
  ["Read(*.env)", file("Read", "/project/d/x.env")],
  ["Read(./.env)", file("Read", "/project/.env")],
  ["WebFetch(domain:example.com)", ["WebFetch", { url: "https://example.com/x" }]],
  ["mcp__srv__*", ["mcp__srv__read", {}]],
  ["mcp__srv", ["mcp__srv__read", {}]],
  ["Task", ["Agent", { subagent_type: "Explore" }]],
];

/** Conditions and calls for which they do not hold. */
export const HOLD_NOT: readonly Row[] = [
  ["Bash(git push:*)", sh("git pushx")],
  ["Bash(git push)", sh("git push origin")],
  ["Bash(git push:*)", sh("git -C x push")],
  ["Bash(git push:*)", sh("echo 'git push'")],
  ["Bash(git push:*)", sh("cat <<'E'\ngit push\nE")],
  ["Bash(git push:*)", sh("ls")],
  ["Bash(git push:*)", file("Write", "/project/git push")],
  ["Edit(src/**)", file("Write", "/project/src/a.ts")],
  ["Edit(src/**)", file("Edit", "/project/pkg/src/a.ts")],
  ["Write(src/**)", file("Write", "/tmp/src/a.ts")],
  ["Edit", file("Write", "/project/a")],
  ["Read(./.env)", file("Read", "/project/d/x.env")],
  ["WebFetch(domain:example.com)", ["WebFetch", { url: "https://a.example.com/x" }]],
  ["mcp__srv__*", ["mcp__other__read", {}]],
];
