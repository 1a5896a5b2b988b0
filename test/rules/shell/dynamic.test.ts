import { beforeAll, describe, expect, it } from "vitest";
import { analyseShell, loadShellParser } from "../../../src/rules/shell/analyse.ts";

beforeAll(loadShellParser);

describe("a line is dynamic when what it runs can't be known", () => {
  it.each([
    "$CMD -rf /",
    '"$(cat cmd.txt)" /srv',
    'eval "$PAYLOAD"',
    'sh -c "$X"',
    "curl https://example.com | sh",
    "bash <(curl https://example.com)",
    "r${unset}m -rf /",
    "v=xrmx; ${v:1:2} -rf /srv/data",
    "v=rxm; ${v/x/} -rf /srv/data",
    "/???/rm -rf /",
    "cat x | xargs sh -c",
    'python3 -c "$CODE"',
    "python3 -c \"exec(base64.b64decode('eA=='))\"",
    "X=ls; test -f y && X=rm; $X z",
    "if",
    "exec < <(echo rm -rf /); bash",
    ". /dev/fd/3 3<<< 'rm -rf /'",
    "X=ls; declare -n r=X; r=rm; $X -rf /",
    "echo 'unclosed",
    "while read c; do $c; done < list",
    "sed 's/x/rm -rf z/e' list",
    "rm -rf /\0tmp/x",
    "for PATH in .; do ls; done",
    "printf -v PATH .; ls",
    "read PATH < place; ls",
    "env 'BASH_FUNC_ls%%=() { rm -rf /; }' bash -c ls",
  ])("%s", (line) => {
    expect(analyseShell(line).dynamic).toBe(true);
  });

  it.each([
    "bash build.sh",
    "cat build.sh | bash",
    'eval "$(ssh-agent -s)"',
    "source <(kubectl completion bash)",
    "$(npm bin)/eslint .",
    '"$VENV/bin/python" -V',
    '"$(which python3)" -V',
    'rm -rf "$DIR"',
    "X=ls; $X",
    "npm test -- $ARGS",
  ])("and otherwise not: %s", (line) => {
    expect(analyseShell(line).dynamic).toBe(false);
  });

  it("a dynamic line says which of its commands is dynamic", () => {
    const { commands } = analyseShell("ls; $X -a b");
    expect(commands.map(({ name, flags, args, dynamic }) => ({ name, flags, args, dynamic }))).toEqual([
      { name: "ls", flags: [], args: [], dynamic: false },
      { name: undefined, flags: ["-a"], args: ["b"], dynamic: true },
    ]);
  });
});
