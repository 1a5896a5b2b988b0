import { beforeAll, describe, expect, it } from "vitest";
import { analyseShell, loadShellParser } from "../../../src/rules/shell/analyse.ts";
import { compileRuns } from "../../../src/rules/shell/runs.ts";

beforeAll(loadShellParser);

const deletes = compileRuns("rm -r -f /srv/data");

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  "lists and compound commands": [
    "true; rm -rf /srv/data",
    "true && rm -rf /srv/data || true",
    "ls | rm -rf /srv/data",
    "rm -rf /srv/data & wait",
    "(rm -rf /srv/data)",
    "{ rm -rf /srv/data; }",
    "if true; then rm -rf /srv/data; fi",
    "if false; then :; elif true; then :; else rm -rf /srv/data; fi",
    "while true; do rm -rf /srv/data; break; done",
    "until false; do rm -rf /srv/data; break; done",
    "for d in /srv/data; do rm -rf $d; done",
    "for ((i=0;i<1;i++)); do rm -rf /srv/data; done",
    "case x in *) rm -rf /srv/data;; esac",
    "select x in a; do rm -rf /srv/data; done",
    "coproc rm -rf /srv/data",
    "! rm -rf /srv/data",
    "time rm -rf /srv/data",
  ],
  substitutions: [
    "echo $(rm -rf /srv/data)",
    "echo `rm -rf /srv/data`",
    'echo "a $(rm -rf /srv/data) b"',
    "cat <(rm -rf /srv/data)",
    "ls > >(rm -rf /srv/data)",
    "[[ -n $(rm -rf /srv/data) ]]",
    "echo $(( $(rm -rf /srv/data) + 1 ))",
    "((x=$(rm -rf /srv/data)))",
    "x=$(rm -rf /srv/data)",
    "cat <<X\n$(rm -rf /srv/data)\nX",
    "echo ${x:-$(rm -rf /srv/data)}",
    "ls > $(rm -rf /srv/data)",
  ],
  quoting: [
    "r''m -rf /srv/data",
    'r""m -r"f" /srv/data',
    "r\\m -rf /srv/data",
    "\\rm -rf /srv/data",
    "$'\\x72\\x6d' -rf /srv/data",
    "$'\\162m' -rf '/srv/data'",
    "'rm' -rf \"/srv/data\"",
    "/bin/rm -rf /srv/data",
    "rm\t-rf\t/srv/data",
    "rm \\\n -rf /srv/data",
  ],
  "spellings of options": [
    "rm -r -f /srv/data",
    "rm -fr /srv/data",
    "rm -Rf /srv/data",
    "rm --recursive --force /srv/data",
    "rm --recurs -f /srv/data",
    "rm /srv/data -rf",
    "rm -rfv -- /srv/data",
  ],
  "values set in the line": [
    "X=rm; $X -rf /srv/data",
    "a=r b=m; $a$b -rf /srv/data",
    "X='rm -rf'; $X /srv/data",
    "rm${IFS}-rf${IFS}/srv/data",
    "IFS=,; c=rm,-rf,/srv/data; $c",
    "{rm,-rf,/srv/data}",
    'c=(rm -rf /srv/data); "${c[@]}"',
    'set -- rm -rf /srv/data; "$@"',
    "v=xrmx; ${v:1:2} -rf /srv/data",
    "c=RM; ${c,,} -rf /srv/data",
    "printf -v c rm; $c -rf /srv/data",
    "read c <<< rm; $c -rf /srv/data",
    "r$@m -rf /srv/data",
    "rm -rf ${UNSET:-/srv/data}",
    "`printf rm` -rf /srv/data",
    "$(echo mr | rev) -rf /srv/data",
    "alias x='rm -rf'; x /srv/data",
    'f() { rm -rf "$1"; }; f /srv/data',
    "f() { f() { rm -rf /srv/data; }; f; }; f",
    "cp /bin/rm /tmp/q; /tmp/q -rf /srv/data",
  ],
  wrappers: [
    "sudo -u bob rm -rf /srv/data",
    "sudo -E -H -- rm -rf /srv/data",
    "doas -u bob rm -rf /srv/data",
    "env -i A=b -u C rm -rf /srv/data",
    "env -S 'rm -rf /srv/data'",
    "timeout -s KILL 5 rm -rf /srv/data",
    "nice -n 19 ionice -c 3 rm -rf /srv/data",
    "nohup setsid stdbuf -oL rm -rf /srv/data",
    "command -p rm -rf /srv/data",
    "builtin exec -a ls rm -rf /srv/data",
    "busybox rm -rf /srv/data",
    "watch -n 1 'rm -rf /srv/data'",
    "ssh -p 22 user@host 'rm -rf /srv/data'",
    "chroot /mnt rm -rf /srv/data",
    "unshare -r flock -w 5 /tmp/lock rm -rf /srv/data",
    "su bob -c 'rm -rf /srv/data'",
    "script -qc 'rm -rf /srv/data' /dev/null",
    "strace -f -o log rm -rf /srv/data",
    "docker --context x exec -it web rm -rf /srv/data",
    "docker compose exec web rm -rf /srv/data",
    "kubectl -n prod exec pod -- rm -rf /srv/data",
    "npx -c 'rm -rf /srv/data'",
    "tmux new -d 'rm -rf /srv/data'",
    "git bisect run rm -rf /srv/data",
    "find /srv/data -exec rm -rf /srv/data \\;",
    "echo /srv/data | xargs rm -rf",
    "echo /srv/data | xargs -0 -I% rm -rf %",
    "printf '%s\\n' /srv/data | xargs -I{} sh -c 'rm -rf {}'",
    "parallel rm -rf ::: /srv/data",
  ],
  "text that is run": [
    "sh -c 'rm -rf /srv/data'",
    "bash -lc \"rm -rf '/srv/data'\"",
    "bash -c 'rm -rf \"$1\"' _ /srv/data",
    "sh -c \"$(printf 'rm -rf %s' /srv/data)\"",
    "eval 'rm -rf' /srv/data",
    "trap 'rm -rf /srv/data' EXIT",
    "source <(echo rm -rf /srv/data)",
    "bash <<EOF\nrm -rf /srv/data\nEOF",
    "bash <<< 'rm -rf /srv/data'",
    "echo 'rm -rf /srv/data' | sh",
    "echo cm0gLXJmIC9zcnYvZGF0YQ== | base64 -d | sh",
    "echo 726d202d7266202f7372762f64617461 | xxd -r -p | bash",
    "printf '\\x72\\x6d -rf /srv/data' | sh",
    "echo 'ql -rf /srv/data' | tr lq mr | tr xy yx | sh",
    "echo 'XX -rf /srv/data' | sed 's/XX/rm/' | sh",
    "echo 'rm -rf /srv/data' > /tmp/x.sh; sh /tmp/x.sh",
    "cat > x.sh <<'E'\nrm -rf /srv/data\nE\nchmod +x x.sh && ./x.sh",
    "echo 'rm -rf /srv/data' | tee x; cp x y; sh y",
    "echo 'rm -rf /srv/data' > x; cat x | sh",
    "cat > x.py <<'E'\nimport os\nos.system('rm -rf /srv/data')\nE\npython3 x.py",
    "echo 'rm -rf /srv/data' | at now",
    "python3 -c \"import os; os.system('rm -rf /srv/data')\"",
    'python3 -c \'import subprocess; subprocess.run(["rm", "-rf", "/srv/data"])\'',
    "perl -e 'system(\"rm -rf /srv/data\")'",
    "ruby -e '`rm -rf /srv/data`'",
    "node -e \"require('child_process').execSync('rm -rf /srv/data')\"",
    "awk 'BEGIN { system(\"rm -rf /srv/data\") }'",
    "git -c core.pager='rm -rf /srv/data' log",
    "GIT_SSH_COMMAND='rm -rf /srv/data' git fetch",
    "tar cf a.tar b --checkpoint-action=exec='rm -rf /srv/data'",
  ],
};

describe("the analysis sees a command through", () => {
  for (const [name, lines] of Object.entries(GROUPS)) {
    it.each(lines)(`${name}: %s`, (line) => {
      const { commands, dynamic } = analyseShell(line);
      expect({ found: commands.some(deletes), dynamic }).toEqual({ found: true, dynamic: false });
    });
  }
});

const DATA = [
  'echo "rm -rf /srv/data"',
  "cat > notes.md <<'EOF'\nrm -rf /srv/data\nEOF",
  "grep -rn 'rm -rf /srv/data' scripts/",
  'git commit -m "never rm -rf /srv/data"',
  "printf '%s' 'rm -rf /srv/data' | wc -c",
  "echo cm0gLXJmIC9zcnYvZGF0YQ== | base64 -d",
  "# rm -rf /srv/data",
  "alias x='rm -rf /srv/data'",
  "X='rm -rf /srv/data'; echo \"$X\"",
  "man rm",
  "command -v rm",
  "python3 -c \"print('rm -rf /srv/data')\"",
];

describe("text that is not run is data", () => {
  it.each(DATA)("%s", (line) => {
    const { commands, dynamic } = analyseShell(line);
    expect({ found: commands.some(deletes), dynamic }).toEqual({ found: false, dynamic: false });
  });
});
