import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { actionOf, bash, call, ports } from "./support/permitted.ts";

const folder = realpathSync(mkdtempSync(join(inject("sharedFolder"), "go-rounds-")));
const project = join(folder, "project");
for (const name of ["secret", "locked", "src", "plain", "docs"])
  mkdirSync(join(project, name), { recursive: true });
for (const name of ["secret/key", ".env", "id.pem", "src/a.py", "src/b.js", "docs/x.md", "plain/notes.txt"])
  writeFileSync(join(project, name), "x\n");

const settings = {
  mode: "bypass",
  deny: ["Read(secret/**)", "Read(.env)", "Read(*.pem)", "Edit(locked/**)"],
} as const;
const given = { ...ports, workspace: [project] };
const said = (tool: string, input: unknown) => actionOf(settings, call(tool, input, { cwd: project }), given);
const ran = (line: string) => actionOf(settings, { ...bash(line), cwd: project }, given);

describe("a denied file by another name", () => {
  it.each([
    `/proc/self/cwd/secret/key`,
    `/proc/thread-self/cwd/secret/key`,
    `/proc/1/cwd/secret/key`,
    `/proc//self/./cwd/secret/key`,
    `/proc/self/task/1/cwd/secret/key`,
    `/proc/self/cwd/plain/../secret/key`,
    `/proc/self/root${project}/secret/key`,
    `/proc/1/root${project}/secret/key`,
    `/proc/self/root/proc/self/cwd/secret/key`,
    `/dev/fd/../cwd/secret/key`,
    `file://${project}/secret/key`,
    `file://${project}/s%65cret/key`,
    `file://localhost${project}/secret/k%65y`,
    `file:${project}/s%65cret/key`,
    `FILE://${project}/%73ecret/key`,
  ])("is denied: %s", async (path) => {
    expect(await said("Read", { file_path: path })).toBe("deny");
    expect(await ran(`cat '${path}'`)).toBe("deny");
  });

  it.each([
    `curl file://${project}/s%65cret/key`,
    `curl -s "file://localhost${project}/secret/ke%79"`,
    `curl --url file://${project}/%73ecret/key`,
    `git clone file://${project}/s%65cret x`,
    "cat < /proc/$$/cwd/secret/key",
    "cat /proc/*/cwd/secret/key",
    "cd /proc/self/cwd && cat secret/key",
    "cd /proc/self/cwd/secret && cat key",
    "python3 -c 'print(open(\"/proc/self/cwd/secret/key\").read())'",
    "sqlite3 :memory: \"select readfile('secret/key')\"",
    "sqlite3 x.db '.read secret/key'",
    "sqlite3 x.db \"attach 'secret/key' as s\"",
    "sqlite3 x.db '.import secret/key t'",
    "sqlite3 secret/key .dump",
    "sqlite3 x.db <<< '.read secret/key'",
    "sqlite3 x.db <<'E'\nselect readfile('secret/key');\nE",
    'echo ".read secret/key" | sqlite3',
    "sqlite3 -init secret/key x.db",
    "sqlite3 'file:secret/key?mode=ro' .dump",
    "psql -c '\\i secret/key'",
    "psql -c '\\copy t from secret/key'",
    "psql -c \"copy t from '$PWD/secret/key'\"",
    "psql -c \"select pg_read_file('secret/key')\"",
    "psql -c \"select pg_read_binary_file('secret/key')\"",
    "psql -c \"select lo_import('secret/key')\"",
    "psql -v ON_ERROR_STOP=1 <<< '\\ir secret/key'",
    "mysql -e \"select load_file('secret/key')\"",
    "mysql -e \"load data local infile 'secret/key' into table t\"",
    "mysql -e 'source secret/key'",
    "mysql -e '\\. secret/key'",
    "duckdb -c \"select * from read_text('secret/key')\"",
    "duckdb -c \"from 'secret/key'\"",
    "duckdb -c \"copy t from 'secret/key'\"",
  ])("is denied or asked about: %s", async (line) => {
    expect(["deny", "ask"]).toContain(await ran(line));
  });

  it.each([
    "python3 -c 'import glob; [print(open(f).read()) for f in glob.glob(\"s*/k*\")]'",
    "python3 -c 'import glob; [print(open(f).read()) for f in glob.glob(\"*/*\")]'",
    "python3 -c 'import os; [print(open(os.path.join(d, f)).read()) for d, _, fs in os.walk(\".\") for f in fs]'",
    'python3 -c \'from pathlib import Path; [print(p.read_text()) for p in Path(".").rglob("*") if p.is_file()]\'',
    "python3 -c 'import os; [print(open(e.path).read()) for e in os.scandir(\"secret\")]'",
    "python3 -c 'import os; os.chdir(\"secret\"); [print(open(f).read()) for f in os.listdir()]'",
    "python3 - <<'E'\nimport os\nfor f in os.listdir('.'):\n  d = f\n  for g in os.listdir(d): print(open(d + '/' + g).read())\nE",
    'node -e \'const fs = require("fs"); for (const d of fs.readdirSync(".")) for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + "/" + f, "utf8"))\'',
    'node -e \'for (const f of require("fs").globSync("**/k*")) console.log(require("fs").readFileSync(f, "utf8"))\'',
    "ruby -e 'Dir[\"s*/*\"].each { |f| puts File.read(f) }'",
    "ruby -e 'Dir.glob(\"**/*\").each { |f| puts File.read(f) if File.file?(f) }'",
    'ruby -e \'require "find"; Find.find(".") { |f| puts IO.read(f) if File.file?(f) }\'',
    "perl -e 'for (glob(\"s*/*\")) { open F, $_; print <F> }'",
    "perl -MFile::Find -e 'find(sub { open F, $_; print <F> }, \".\")'",
    'perl -e \'opendir D, "secret"; for (readdir D) { open F, "secret/$_"; print <F> }\'',
    "php -r 'foreach (glob(\"s*/*\") as $f) echo file_get_contents($f);'",
    'php -r \'foreach (scandir("secret") as $f) readfile("secret/$f");\'',
    "deno eval 'for (const f of Deno.readDirSync(\".\")) console.log(Deno.readTextFileSync(f.name))'",
  ])("is asked about where code looks for it: %s", async (line) => {
    expect(["deny", "ask"]).toContain(await ran(line));
  });

  it.each([
    "git init locked/x",
    "git init --bare locked",
    "git clone https://example.com/r.git locked/r",
    "git clone -b main https://example.com/r.git locked",
    "git worktree add locked/w",
    "git -C locked init",
    "cd locked && git clone https://example.com/r.git",
    "git submodule add https://example.com/r.git locked/s",
    "ssh-keygen -f locked/key -N ''",
    "ssh-keygen -t ed25519 -flocked/key -N ''",
    "mktemp -p locked",
    "mktemp -d -p locked",
    "mktemp --tmpdir=locked",
    "mktemp locked/x.XXXX",
    "openssl genrsa -out locked/key",
    "openssl req -new -keyout locked/key -out r.csr",
    "age-keygen -o locked/key",
    "gpg --output locked/x --export",
    "cargo new locked/x",
    "cargo init locked",
    "python3 -m venv locked/v",
    "virtualenv locked/v",
    "mkfifo locked/p",
    "split -b 1k a locked/part",
    "csplit -f locked/part a 1",
    "sqlite3 x.db '.backup locked/x'",
    "sqlite3 x.db \"vacuum into 'locked/x'\"",
    "sqlite3 x.db \"attach 'locked/x' as l\"",
    "sqlite3 :memory: \"select writefile('locked/x', 'a')\"",
    "psql -c '\\o locked/x'",
    "psql -c \"copy t to '$PWD/locked/x'\"",
    "mysql -e \"select 1 into outfile 'locked/x'\"",
    "duckdb -c \"copy t to 'locked/x'\"",
    "git bundle create locked/b HEAD",
    "git archive -o locked/a.tar HEAD",
    "wget -P locked https://example.com/x",
    "curl --output-dir locked -O https://example.com/x",
  ])("is not written by a program that makes it: %s", async (line) => {
    expect(["deny", "ask"]).toContain(await ran(line));
  });
});

describe("what has nothing to do with a denied file", () => {
  it.each([
    "cat docs/y.md",
    "cat /proc/cpuinfo",
    "cat /proc/self/status",
    "ls /proc/self/fd",
    "cat /proc/self/cwd/docs/x.md",
    "curl file:///usr/share/dict/words",
    "echo x > /dev/fd/2",
    "python3 -c 'import os; print(os.listdir(\".\"))'",
    "python3 -c 'import glob; [print(open(f).read()) for f in glob.glob(\"src/**/*.py\")]'",
    "python3 -c 'import os; [print(open(os.path.join(d, f)).read()) for d, _, fs in os.walk(\"src\") for f in fs]'",
    'node -e \'for (const f of require("fs").readdirSync("src")) console.log(require("fs").readFileSync("src/" + f))\'',
    "ruby -e 'Dir[\"docs/*.md\"].each { |f| puts File.read(f) }'",
    "sqlite3 x.db 'select * from t'",
    "psql -c \"select * from t where a = 'secret/key'\"",
    "sqlite3 x.db \"insert into t values ('a.b')\"",
    "mysql -e 'select 1'",
    "git init x",
    "git clone https://example.com/r.git",
    "git clone https://example.com/r.git x",
    "ssh-keygen -t ed25519 -f plain/key -N ''",
    "mktemp",
    "mktemp -d",
  ])("is let through: %s", async (line) => {
    expect(await ran(line)).toBe("allow");
  });
});
