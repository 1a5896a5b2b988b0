import { beforeAll, describe, expect, it } from "vitest";
import { compileInlineRules } from "../../../src/rules/rules.ts";
import { analyseShell, loadShellParser } from "../../../src/rules/shell/analyse.ts";
import { call, ports } from "../ports.ts";

beforeAll(loadShellParser);

/** What a line would lose, or that what it runs is unknown. */
function finds(line: string): readonly string[] {
  const { commands, dynamic } = analyseShell(line);
  const lost = commands.flatMap(({ behaviours }) =>
    behaviours.filter(({ kind }) => kind === "loses").map(({ target }) => target),
  );
  return dynamic ? ["dynamic", ...lost] : lost;
}

describe("text that is not known is dynamic, never empty", () => {
  it.each([
    'eval "$(<f)"',
    "eval `<f`",
    "$(<f) -rf src",
    'bash -c "$(< f)"',
    "x=$(<f); $x",
    "echo 'rm -rf src' > >(sh)",
    "cat f | tee >(bash) > /dev/null",
    "awk '{system($0)}' f",
    "awk '{print $2 | \"sh\"}' f",
    "awk 'BEGIN{c=\"ls\"; getline c; system(c)}' f",
    "sed e f",
    "sed '1,3e' f",
    "sed 's/a/b/ge' f",
    "cat f | sed -n 's/x/y/;e'",
    "printf '%x' 12 | sh",
    "x=ls; read -r x < f; $x",
    "REPLY=ls; read < f; $REPLY",
    "printf '%.5s' \"$x\" | sh",
  ])("%s", (line) => {
    expect(finds(line)).toContain("dynamic");
  });

  it.each(["x=$(<f); echo $x", "sed 's/;e /x/' f", "awk '{print $1 | \"sort\"}' f", "echo a > >(tee log)"])(
    "but an everyday line is not: %s",
    (line) => {
      expect(finds(line)).toEqual([]);
    },
  );

  it.each(['eval "$(/opt/homebrew/bin/brew shellenv)"', 'eval "$(/usr/bin/ssh-agent -s)"'])(
    "nor is what an installed tool prints for a shell: %s",
    (line) => {
      expect(finds(line)).toEqual([]);
    },
  );

  it("but what a program in another folder prints is", () => {
    expect(finds('eval "$(/tmp/brew shellenv)"')).toContain("dynamic");
    expect(finds('eval "$(/usr/bin/cat env)"')).toContain("dynamic");
  });

  it("a file that the line has written itself is known", () => {
    expect(finds("echo 'rm -rf src' > f; eval \"$(<f)\"")).toEqual(["src"]);
  });
});

describe("what a shell runs is found", () => {
  it.each([
    "bash -c '$0 -rf src' rm",
    'sh -c \'"$0" "$@"\' rm -rf src',
    "echo 'rm -rf \"$1\"' | bash -s -- src",
    "echo 'rm -rf \"$2\"' | sh -es -- a src",
    "printf 'rm -rf src\\0' | xargs -0 sh -c",
    "echo \"'rm -rf src'\" | xargs sh -c",
    "echo 'rm -rf src' | xargs -d '\\n' sh -c",
    "echo a 'rm -rf src' | xargs -n1 echo; printf '%.2s -rf src' rmx | sh",
    "printf '%-3s-rf src' rm | sh",
    "sed '1e rm -rf src' f",
    "env -P /bin rm -rf src",
    "parallel --nice 10 rm -rf ::: src",
    "parallel --arg-sep ,, rm -rf {} ,, src",
    "xargs --process-slot-var S rm -rf src < f",
    "{ echo 'rm -rf src'; } > f; sh f",
    "git -c alias.x='!rm -rf src' x",
    "git config alias.x '!rm -rf src'",
    "tclsh <<< 'exec rm -rf src'",
    "julia -e 'run(`rm -rf src`)'",
  ])("%s", (line) => {
    expect(finds(line)).toContain("src");
  });

  it.each([
    ["git -c alias.x='reset --hard' x", "git reset --hard"],
    [
      "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='reset --hard' git x",
      "git reset --hard",
    ],
    ["lvm lvremove -f vg0/data", "lvremove -f vg0/data"],
  ])("%s", (line, text) => {
    expect(analyseShell(line).commands.map((command) => command.text.trim())).toContain(text);
  });
});

describe("a command inside of another program's words is found", () => {
  it.each([
    "sudo -s 'rm -rf src'",
    "setarch x86_64 rm -rf src",
    "linux64 rm -rf src",
    "eatmydata rm -rf src",
    "ls | entr -s 'rm -rf src'",
    "mise x -- rm -rf src",
    "asdf exec rm -rf src",
    "nix develop -c rm -rf src",
    "nix shell nixpkgs#x --command rm -rf src",
    "devbox run rm -rf src",
    "tox exec -- rm -rf src",
    "rye run rm -rf src",
    "dotenvx run -- rm -rf src",
    "doppler run --command='rm -rf src'",
    "chamber exec x -- rm -rf src",
    "infisical run -- rm -rf src",
    "teller run -- rm -rf src",
    "sops exec-env f 'rm -rf src'",
    "cross-env A=1 rm -rf src",
    "npx cross-env A=1 rm -rf src",
    "cargo watch -x run -s 'rm -rf src'",
    "yarn rimraf src",
    "pnpm rimraf src",
    "wsl rm -rf src",
    "git difftool -x 'rm -rf src'",
    "git grep -O'rm -rf src' x",
    "git clone -u 'rm -rf src;' a b",
    "git clone 'ext::sh -c rm% -rf% src' -c protocol.ext.allow=always",
    "tar cf a.tar b -F 'rm -rf src'",
    "zip -T -TT 'rm -rf src' x.zip y",
    "zip x.zip y -T --unzip-command='rm -rf src'",
    "sftp -o ProxyCommand='rm -rf src' x",
    "sftp x <<< '!rm -rf src'",
    "ftp -n <<< '!rm -rf src'",
    "rg --pre 'rm -rf src' x",
    "sort --compress-program='rm -rf src' x",
    "wget --use-askpass='rm -rf src' http://x",
    "wget -e 'use_askpass=rm -rf src' http://x",
    "cmake -E rm -rf src",
    "cmake -E remove_directory src",
    "awk -f <(echo 'BEGIN{system(\"rm -rf src\")}')",
    "powershell.exe -NoProfile -Command 'rm -r src'",
    "cmd /c 'powershell rm -r -fo src'",
    "Remove-Item -Recurse -Force src",
    "remove-item -Path src -r",
    "rd /s /q src",
    "Get-ChildItem src | Remove-Item -Recurse",
  ])("%s", (line) => {
    const lost = finds(line);
    expect(lost.includes("src") || lost.includes("src/*"), lost.join()).toBe(true);
  });

  it("text that powershell decodes is decoded, or unknown", () => {
    expect(finds("pwsh -EncodedCommand cgBtACAALQByACAAcwByAGMA")).toContain("src");
    expect(finds("powershell -nop -enc cgBtACAALQByACAAcwByAGMA")).toContain("src");
    expect(finds("powershell -enc '!'")).toContain("dynamic");
  });

  it.each([
    "nix develop .#ci -c cargo test",
    "git grep -n foo",
    "git diff -Oorder.txt",
    "yarn build",
    "yarn workspace web test",
    "pnpm -r test",
    "cargo watch -x test",
    "cross-env NODE_ENV=test jest",
    "sudo -s",
    "cmake -E make_directory src",
    "zip -r 'my files.zip' src",
    "git clone -b main --depth 1 https://example.com/a b",
    "Get-Content src/a.ts",
    "Remove-Item -Recurse dist",
    "powershell -Command Get-ChildItem",
  ])("but an everyday line is not: %s", (line) => {
    expect(finds(line)).toEqual([]);
  });
});

describe("files that code writes are changed", () => {
  it.each([
    ["python3 -c \"open('/etc/hosts','w').write('x')\"", "/etc/hosts"],
    ["python3 -c \"import pathlib; pathlib.Path('/etc/hosts').write_text('x')\"", "/etc/hosts"],
    ["python3 -c \"import os; os.open('/etc/hosts', os.O_WRONLY)\"", "/etc/hosts"],
    ["node -e \"require('fs').writeFileSync('/etc/hosts','x')\"", "/etc/hosts"],
    ["node -e \"const {writeFileSync:w}=require('fs'); w('/etc/hosts','x')\"", "/etc/hosts"],
    ["perl -e 'open F, \">/etc/hosts\"'", "/etc/hosts"],
    ['ruby -e \'File.write("/etc/hosts","x")\'', "/etc/hosts"],
    ["python3 -c \"open('/etc/%s' % 'hosts','w')\"", "/etc/*"],
    ["python3 -c \"open(f'/etc/{n}','w')\"", "/etc/*"],
    ["python3 -c \"import glob; [open(f,'w') for f in glob.glob('/etc/*.conf')]\"", "/etc/*.conf"],
    ["7z x a.zip -o/etc", "/etc"],
    ["ld -o /etc/hosts x", "/etc/hosts"],
    ["sd a b /etc/hosts", "/etc/hosts"],
    ["dasel put -f /etc/hosts -v 1 a", "/etc/hosts"],
    ["Set-Content /etc/hosts x", "/etc/hosts"],
    ["x | Out-File -FilePath /etc/hosts", "/etc/hosts"],
  ])("%s", (line, path) => {
    const changed = analyseShell(line).commands.flatMap(({ behaviours }) =>
      behaviours.filter(({ kind }) => kind === "changes").map(({ target }) => target),
    );
    expect(changed).toContain(path);
  });

  it("files that it only reads are not", () => {
    const { commands } = analyseShell("python3 -c \"print(open('/etc/hosts').read())\"");
    expect(commands.flatMap(({ behaviours }) => behaviours.map(({ kind }) => kind))).not.toContain("changes");
  });
});

describe("a redirection empties a file", () => {
  it.each([
    ["{ echo a; } > f.ts", []],
    ["for f in *.ts; do wc -l $f; done > counts.txt", []],
    ["if true; then npm test; fi > out.txt", []],
    ["while read -r l; do echo $l; done < in > out.txt", []],
    ["(make; make test) > all.txt 2>&1", []],
    ["case $x in a) echo b ;; esac > os.txt", []],
    ["{ :; } > f.ts", ["f.ts"]],
    ["if true; then :; fi > f.ts", ["f.ts"]],
    ["sort f.ts > f.ts", ["f.ts"]],
    ["cat f.ts | tr a b > ./f.ts", ["f.ts"]],
    ["{ cat f.ts; } > f.ts", ["f.ts"]],
    ["cat f.ts | tee f.ts", ["f.ts"]],
    ['echo "$(cat f.ts)" > f.ts', []],
    ["sort f.ts -o f.ts", []],
    ["cat f.ts >> f.ts", []],
  ])("when nothing is written, or it is read itself: %s", (line, lost) => {
    expect(finds(line)).toEqual(lost);
  });
});

describe("a cd that may fail", () => {
  it.each([
    ["cd build; rm -rf *", ["*"]],
    ["cd build; make; rm -rf *", ["*"]],
    ["cd build && make; rm -rf *", ["*"]],
    ["cd build || true; rm -rf *", ["*"]],
    ["cd build && rm -rf *", []],
    ["cd build || exit 1; rm -rf *", []],
    ["cd build || { echo no; exit 1; }; rm -rf *", []],
    ["set -e; cd build; rm -rf *", []],
    ["set -euo pipefail; cd build; rm -rf *", []],
    ["mkdir -p build/x; cd build/x; rm -rf *", []],
    ["cd /tmp; rm -rf x", []],
    ["if cd build; then rm -rf *; fi", []],
  ])("leaves the line where it was: %s", (line, lost) => {
    expect(finds(line)).toEqual(lost);
  });
});

describe("extended patterns", () => {
  it("stand for the names that they list", () => {
    expect(analyseShell('bash -O extglob -c "cat /etc/@(shadow|x)"').reads).toEqual([
      "/etc/shadow",
      "/etc/x",
    ]);
  });

  it("that list none may fit any name", () => {
    expect(finds("rm -rf !(keep)")).toEqual(["*"]);
  });
});

describe("the fields of another tool", () => {
  it.each([
    [{ host: "evil.example" }, "deny"],
    [{ hostname: "192.0.2.1" }, "deny"],
    [{ url: "https://evil.example" }, "deny"],
    [{ host: "production" }, "continue"],
    [{ domain: "billing.example" }, "continue"],
    [{ domains: ["a.example", "b.example"] }, "continue"],
  ])("%o connects only where it names a host", async (input, action) => {
    const rules = 'call connects "*" -> deny("No.")';
    const { decide } = await compileInlineRules({ name: "x", rules }, ports);
    expect(await decide(call("mcp__a__b", input))).toMatchObject({ action });
  });
});
