import { beforeAll, describe, expect, it } from "vitest";
import { analyseShell, loadShellParser } from "../../../src/rules/shell/analyse.ts";
import { compileRuns } from "../../../src/rules/shell/runs.ts";

beforeAll(loadShellParser);

function runs(pattern: string, line: string): boolean {
  return analyseShell(line).commands.some(compileRuns(pattern));
}

describe("runs", () => {
  it.each([
    ["rm -r -f", "sudo rm -fr build"],
    ["rm -rf", "rm --recursive x --force"],
    ["rm", "rm x"],
    ["git push --force", "git -C app push origin main -f"],
    ["git push +*", "git push origin +main"],
    ["git commit -m wip*", 'git commit -am "wip: x"'],
    ["terraform destroy -auto-approve", "terraform -chdir=x destroy --auto-approve"],
    ["{npm,pnpm} install", "pnpm install x"],
    ["mkfs*", "mkfs.ext4 /dev/sda"],
    ["curl -X DELETE", "curl https://x --request=DELETE"],
    ["journalctl --vacuum*", "journalctl --vacuum-time=1s"],
    ["docker compose down -v", "docker compose -f x.yml down -v"],
    ['psql -c "drop *"', 'psql -c "drop table x"'],
    ["git clean -f !-n", "git clean -n; git clean -fd"],
    ["kubectl delete !--dry-run", "kubectl delete pod x --dry-run=none"],
    ["evil", "git difftool -x evil HEAD"],
    ["evil", "git clone -u evil host:x"],
    ["evil", "git grep -Oevil pattern"],
    ["@loses", "rm -rf src"],
    ["@loses /etc/** /usr/**", "rm -rf /usr/lib"],
    ["@discloses **/.env", "cat .e*"],
  ])("%s fits %s", (pattern, line) => {
    expect(runs(pattern, line)).toBe(true);
  });

  it.each([
    ["order.txt", "git diff -Oorder.txt"],
    ["order.txt", "git grep -O order.txt"],
    ["@loses **/q", "rd /s /q src"],
    ["rm -r -f", "rm -f x"],
    ["rm", 'echo "rm"'],
    ["git push --force", "git stash push --force"],
    ["git push --force", "git push --force-with-lease"],
    ["git push origin main", "git push main origin"],
    ["curl -X DELETE", "curl -X GET https://x/DELETE"],
    ["git clean -f !-n", "git clean -nfd"],
    ["kubectl delete !--dry-run", "kubectl delete pod x --dry-run=client"],
    ["@loses", "rm -rf dist"],
    ["@discloses **/.env", "cat src/*"],
  ])("%s does not fit %s", (pattern, line) => {
    expect(runs(pattern, line)).toBe(false);
  });

  it.each(["", "  ", "-rf", 'git "push', "@nothing", "rm [a"])("runs refuses the pattern %j", (pattern) => {
    expect(() => compileRuns(pattern)).toThrow(expect.objectContaining({ code: "bad_pattern" }));
  });
});
