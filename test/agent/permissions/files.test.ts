import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createPermissions } from "../../../src/handlers/permissions/permissions.ts";
import { actionOf, bash, call, OUTSIDE, ports, WORKSPACE } from "./support/permitted.ts";

type Row = readonly [rule: string, tool: string, input: unknown];
const patch = (file: string) => ({ input: `*** Begin Patch\n*** Update File: ${file}\n*** End Patch` });

describe("a deny is about every call that may touch the file", () => {
  it.each<Row>([
    ["Read(.env)", "Read", { file_path: ".env" }],
    ["Read(.env)", "Read", { file_path: "packages/app/.env" }],
    ["Read(.env)", "Read", { file_path: join(WORKSPACE, "x", "..", ".env") }],
    ["Read(.env)", "Read", { file_path: ".ENV" }],
    ["Read(.env)", "read_file", { absolute_path: `${WORKSPACE}//.env` }],
    ["Read(.env)", "Grep", { pattern: "KEY", path: ".env" }],
    ["Read(.env)", "Grep", { pattern: "KEY", glob: ".e*" }],
    ["Read(.env)", "Glob", { pattern: "**/.env" }],
    ["Read(secrets/**)", "Glob", { pattern: "secrets/*" }],
    ["Read(secrets/**)", "Grep", { pattern: "x", path: "secrets", glob: "*" }],
    ["Read(.env)", "Bash", { command: "cat .env" }],
    ["Read(.env)", "Bash", { command: "ls; head -1 < .env" }],
    ["Read(.env)", "Bash", { command: "cat .e*" }],
    ["Read(.env)", "Bash", { command: "cp .env x" }],
    ["Read(.env)", "Edit", { file_path: ".env", old_string: "a", new_string: "b" }],
    ["Read(secrets/**)", "Read", { file_path: "secrets/a/b" }],
    ["Read(secrets/**)", "Read", { file_path: "src/innocent/a" }],
    ["Read(secrets/**)", "Read", { file_path: "src/../secrets/a" }],
    ["Read(secrets)", "Read", { file_path: "secrets/a" }],
    ["Read(./secrets/)", "Bash", { command: "cd secrets && cat a" }],
    ["Read(~/.ssh/**)", "Read", { file_path: "~/.ssh/id_rsa" }],
    ["Read(~/.ssh/**)", "Read", { file_path: join(homedir(), ".ssh", "id_rsa") }],
    ["Read(~/.ssh/**)", "Bash", { command: "cat $HOME/.ssh/id_rsa" }],
    ["Read(~/.ssh/**)", "Grep", { pattern: "x", path: "~/.ssh" }],
    ["Read(//etc/**)", "Read", { file_path: "/etc/passwd" }],
    ["Read(/etc/)", "Read", { file_path: "/etc/passwd" }],
    ["Read(**)", "Read", { file_path: "/anywhere" }],
    ["Edit(src/**)", "Edit", { file_path: "src/a.ts", old_string: "a", new_string: "b" }],
    ["Edit(src/**)", "Write", { file_path: "src/b.ts", content: "" }],
    ["Edit(src/**)", "MultiEdit", { file_path: "src/b.ts", edits: [] }],
    ["Edit(src/**)", "apply_patch", patch("src/a.ts")],
    ["Edit(src/**)", "apply_patch", { input: "what is this" }],
    ["Edit(src/**)", "delete_file", { path: "src/a.ts" }],
    ["Edit(src/**)", "Bash", { command: "echo x > src/a.ts" }],
    ["Edit(src/**)", "Bash", { command: "sed -i s/a/b/ src/a.ts" }],
    ["Edit(src/**)", "Bash", { command: "rm -rf src" }],
    ["Edit(src/**)", "mcp__files__put", { path: "src/a.ts" }],
    ["Write(secrets/**)", "Edit", { file_path: "src/innocent/a", old_string: "a", new_string: "b" }],
    ["Edit({src,lib}/**)", "Write", { file_path: "lib/a", content: "" }],
    ["Read", "Read", { file_path: "a" }],
    ["Read", "Grep", { pattern: "a" }],
    ["Edit", "Write", { file_path: "a", content: "" }],
    ["Edit", "delete_file", { path: "a" }],
  ])("%s: %s %j", async (rule, tool, input) => {
    const settings = { mode: "bypass", allow: ["Read", "Edit", "Bash", "*"], deny: [rule] } as const;
    expect(await actionOf(settings, call(tool, input))).toBe("deny");
    expect(await actionOf(settings, call(tool, input, { annotations: { read_only: true } }))).toBe("deny");
  });

  it.each<Row>([
    ["Read(.env)", "Read", { file_path: ".env.example" }],
    ["Read(.env)", "Write", { file_path: ".env", content: "" }],
    ["Read(.env)", "Glob", { pattern: "**/*" }],
    ["Read(.env)", "Grep", { pattern: "x", glob: "*.ts" }],
    ["Read(secrets/**)", "Read", { file_path: "src/a.ts" }],
    ["Read(project)", "Read", { file_path: "src/a.ts" }],
    ["Edit(src/**)", "Read", { file_path: "src/a.ts" }],
    ["Edit(src/**)", "Bash", { command: "cat src/a.ts" }],
    ["Edit(src/*.ts)", "Write", { file_path: "lib/a.ts", content: "" }],
    ["Read(~/.ssh/**)", "Read", { file_path: ".ssh/id_rsa" }],
  ])("%s is not about %s %j", async (rule, tool, input) => {
    expect(await actionOf({ mode: "bypass", deny: [rule] }, call(tool, input))).toBe("allow");
  });

  it("asks when a variable may be the file", async () => {
    expect(await actionOf({ mode: "bypass", deny: ["Read(.env)"] }, bash('cat "$FILE"'))).toBe("ask");
    expect(await actionOf({ mode: "bypass", deny: ["Read(.env)"] }, bash('cat "src/$FILE.ts"'))).toBe(
      "allow",
    );
  });

  it("asks when a folder that holds the file is written to as a whole", async () => {
    const settings = { mode: "bypass", deny: ["Edit(src/deep/**)"] } as const;
    for (const line of ["rm -rf src", "rm -rf .", "mv src /tmp/x"])
      expect(await actionOf(settings, bash(line))).toBe("ask");
    expect(await actionOf(settings, bash("rm -rf dist"))).toBe("allow");
  });

  it("holds from wherever the agent works", async () => {
    const inside = call("Write", { file_path: "a.ts", content: "" }, { cwd: join(WORKSPACE, "src") });
    expect(await actionOf({ mode: "bypass", deny: ["Edit(src/**)"] }, inside)).toBe("deny");
  });

  it("tells searches what to leave out", () => {
    const { hides } = createPermissions({ deny: ["Read(.env)", "Read(secrets/**)", "Edit(src/**)"] }, ports);
    expect(
      [".env", "a/.env", "secrets/x", "src/innocent/x", "src/a.ts"].map((path) => hides(path, WORKSPACE)),
    ).toEqual([true, true, true, true, false]);
  });
});

describe("an allow is about calls all of whose files fit", () => {
  it.each<Row>([
    ["Edit(src/**)", "Edit", { file_path: "src/a.ts", old_string: "a", new_string: "b" }],
    ["Edit(src/**)", "Write", { file_path: join(WORKSPACE, "src/new/b.ts"), content: "" }],
    ["Edit(src/**)", "apply_patch", patch("src/a.ts")],
    ["Edit(*.ts)", "Write", { file_path: "deep/down/b.ts", content: "" }],
    ["Edit(./src/**)", "Write", { file_path: "src/b.ts", content: "" }],
    ["write_file(src/**)", "Write", { file_path: "src/b.ts", content: "" }],
    ["Read(/etc/**)", "Read", { file_path: "/etc/hosts" }],
    ["Read(//etc/**)", "Grep", { pattern: "x", path: "/etc" }],
    ["Read", "Read", { file_path: "/etc/hosts" }],
    ["Read", "Glob", { pattern: "/etc/*" }],
  ])("%s allows %s %j", async (rule, tool, input) => {
    expect(await actionOf({ allow: [rule] }, call(tool, input))).toBe("allow");
  });

  it.each<Row>([
    ["Edit(src/**)", "Write", { file_path: "src/../secrets/a", content: "" }],
    ["Edit(src/**)", "Write", { file_path: "src/innocent/a", content: "" }],
    ["Edit(src/**)", "Write", { file_path: "SRC/a", content: "" }],
    ["Edit(src/**)", "Write", { file_path: "srcx/a", content: "" }],
    ["Edit(src/**)", "Write", { file_path: "/src/a", content: "" }],
    ["Edit(src/**)", "Write", { file_path: "src/a", path: "/etc/passwd", content: "" }],
    ["Edit(src/**)", "apply_patch", { input: `${patch("src/a").input}\n*** Delete File: /etc/b` }],
    ["Edit(src/**)", "apply_patch", { input: "what is this" }],
    ["Edit(src/**)", "delete_file", { path: "src/a.ts" }],
    ["Edit(src/**)", "Bash", { command: "echo x > src/a.ts" }],
    ["Edit(src/**)", "mcp__files__put", { path: "src/a.ts" }],
    ["Edit(**)", "Write", { file_path: "/etc/passwd", content: "" }],
    ["Edit(**)", "Write", { file_path: "out/x", content: "" }],
    ["Edit(*.ts)", "Write", { file_path: "/etc/b.ts", content: "" }],
    ["Edit(./**)", "Write", { file_path: "../elsewhere/b.ts", content: "" }],
    ["Write(src/**)", "Edit", { file_path: "src/a.ts", old_string: "a", new_string: "b" }],
    [`Read(${OUTSIDE}/**)`, "Read", { file_path: "out/x" }],
    ["Read(/etc/**)", "Glob", { pattern: "/etc/*/../../root/*" }],
    ["Read(/etc/**)", "Read", { file_path: "/etc/../root/x" }],
    ["Read(/etc/**)", "Bash", { command: "cat /etc/hosts" }],
  ])("%s does not allow %s %j", async (rule, tool, input) => {
    expect(await actionOf({ allow: [rule] }, call(tool, input))).toBe("ask");
  });
});
