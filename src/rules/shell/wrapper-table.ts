/** How a program that runs another command is written. */
export interface Wrapper {
  /** Its own options that take the next word as their value. */
  readonly values?: string;
  /** Words between its options and the command: the duration of `timeout`, the host of `ssh`. */
  readonly skip?: number;
  /** `NAME=value` words may stand before the command. */
  readonly assignments?: true;
  /** The rest of the words, joined, is shell text and not a list of arguments. */
  readonly text?: true;
  /** Options whose value is shell text. */
  readonly scripts?: string;
  /** The command begins only after `--`. */
  readonly afterDashes?: true;
  /** It only delays, limits or renames: who runs the command and where stay the same. */
  readonly transparent?: true;
}

const plain: Wrapper = { transparent: true };
const packageRunner: Wrapper = { values: "-p --package -w --workspace --node-options", scripts: "-c --call" };
const container: Wrapper = {
  values:
    "-e --env --env-file -u --user -w --workdir -v --volume -p --publish --name --network --net --entrypoint --mount -l --label --platform --hostname -h --add-host -m --memory --cpus --cap-add --cap-drop --device --security-opt --restart --pid --ipc --gpus --shm-size --ulimit --userns --detach-keys --index --log-driver --tmpfs --dns",
  skip: 1,
};

/**
 * Programs that run the command in their arguments, one row each; a key of several words is a subcommand. Wrappers
 * that need more than a row (`find`, `xargs`, `parallel`, shells) have files of their own.
 */
export const WRAPPER_TABLE: Readonly<Record<string, Wrapper>> = {
  sudo: {
    values: "-u -g -h -p -C -r -t -T -U -R -D --user --group --host --prompt --chroot --chdir --role --type",
    assignments: true,
  },
  doas: { values: "-u -C", assignments: true },
  pkexec: { values: "--user" },
  gosu: { skip: 1 },
  "su-exec": { skip: 1 },
  su: { values: "-s -g -G -w --shell --group", scripts: "-c --command", skip: 99 },
  runuser: { values: "-u -s -g -G --user --shell", scripts: "-c --command" },
  env: {
    values: "-u -C --unset --chdir",
    scripts: "-S --split-string",
    assignments: true,
    transparent: true,
  },
  timeout: { values: "-s -k --signal --kill-after", skip: 1, transparent: true },
  gtimeout: { values: "-s -k --signal --kill-after", skip: 1, transparent: true },
  nice: { values: "-n --adjustment", transparent: true },
  ionice: { values: "-c -n -t --class --classdata", transparent: true },
  chrt: { values: "-T -P -D", skip: 1 },
  taskset: { values: "", skip: 1 },
  "!": plain,
  nohup: plain,
  setsid: plain,
  time: { values: "-o -f --output --format", transparent: true },
  gtime: { values: "-o -f --output --format", transparent: true },
  command: plain,
  builtin: plain,
  exec: { values: "-a", transparent: true },
  nocorrect: plain,
  noglob: plain,
  stdbuf: { values: "-i -o -e --input --output --error", transparent: true },
  unbuffer: plain,
  chronic: plain,
  caffeinate: { values: "-t -w", transparent: true },
  catchsegv: plain,
  busybox: {},
  toybox: {},
  watch: { values: "-n --interval", text: true },
  ssh: { values: "-i -p -l -o -F -L -R -D -J -b -c -E -e -I -m -O -Q -S -W -w -B", skip: 1, text: true },
  sshpass: { values: "-p -f -P -d" },
  autossh: { values: "-M -i -p -l -o -F -L -R -D -J", skip: 1, text: true },
  mosh: { values: "--ssh", skip: 1 },
  chroot: { values: "--userspec --groups", skip: 1 },
  unshare: { values: "-S -G --setuid --setgid --root -R --wd -w --map-user --map-group" },
  nsenter: { values: "-t -S -G --target --setuid --setgid" },
  setpriv: { values: "--reuid --regid --groups --inh-caps --bounding-set --ambient-caps" },
  capsh: { values: "", afterDashes: true },
  "systemd-run": {
    values:
      "-p --property --unit -u --uid --gid --slice -H -M --on-active --on-calendar -E --setenv --working-directory --description --nice",
  },
  "systemd-inhibit": { values: "--what --who --why --mode" },
  flock: { values: "-w -E --timeout --wait", scripts: "-c --command", skip: 1 },
  script: { values: "-T -B -I -O -E -m", scripts: "-c --command", skip: 99 },
  strace: { values: "-e -o -p -s -u -E -P -a -S -b -I -O -X --trace --output" },
  ltrace: { values: "-e -o -p -s -u -a -l -n -x" },
  perf: { skip: 1 },
  valgrind: { values: "" },
  gdb: { values: "-p -c", afterDashes: true },
  rlwrap: { values: "" },
  firejail: { values: "" },
  bwrap: {
    values:
      "--bind --ro-bind --dev --proc --tmpfs --chdir --setenv --unsetenv --dev-bind --symlink --hostname --uid --gid",
  },
  fakeroot: { values: "-l -s -i -u -b" },
  proot: { values: "-r -b -w -q -R -S" },
  torsocks: plain,
  torify: plain,
  proxychains: { values: "-f" },
  proxychains4: { values: "-f" },
  "xvfb-run": { values: "-n -s -e -f -p --server-args --server-num" },
  "dbus-run-session": { values: "--config-file" },
  daemonize: { values: "-a -c -e -o -p -l -u -E" },
  "start-stop-daemon": { values: "", afterDashes: true },
  entr: { values: "-s" },
  nodemon: { values: "-w --watch -e --ext -i --ignore", scripts: "-x --exec" },
  watchexec: { values: "-w --watch -e --exts -i --ignore -d --debounce", text: true },
  hyperfine: {
    values: "-w -m -M -r -p -c -s --warmup --runs --prepare --cleanup --export-json --export-markdown",
    text: true,
  },
  concurrently: { values: "-n --names -c", text: true },
  dotenv: { values: "-e -v -p -c -f" },
  "direnv exec": { skip: 1 },
  "op run": { values: "--env-file", afterDashes: true },
  "doppler run": { values: "-p -c --project --config", afterDashes: true },
  "aws-vault exec": { afterDashes: true },
  npx: packageRunner,
  bunx: packageRunner,
  pnpx: packageRunner,
  "npm exec": packageRunner,
  "npm x": packageRunner,
  "pnpm exec": packageRunner,
  "pnpm dlx": packageRunner,
  "yarn dlx": packageRunner,
  "yarn exec": packageRunner,
  "bun x": packageRunner,
  uvx: { values: "--from --with --python -p" },
  "uv run": { values: "--with --python -p --extra --group --project" },
  "poetry run": {},
  "pipenv run": {},
  "pdm run": {},
  "hatch run": { text: true },
  "bundle exec": {},
  "rbenv exec": {},
  "mise exec": { afterDashes: true },
  "conda run": { values: "-n -p --name --prefix --cwd" },
  "nix-shell": { values: "-p --packages", scripts: "--run --command", skip: 99 },
  "nix develop": { scripts: "-c --command", skip: 99 },
  "docker exec": container,
  "docker run": container,
  "docker create": container,
  "podman exec": container,
  "podman run": container,
  "nerdctl exec": container,
  "nerdctl run": container,
  "docker compose exec": container,
  "docker compose run": container,
  "docker container exec": container,
  "docker container run": container,
  "docker-compose exec": container,
  "docker-compose run": container,
  "lxc exec": { skip: 1 },
  "kubectl exec": { values: "-n --namespace -c --container -f", skip: 1 },
  "kubectl run": { values: "-n --namespace --image --restart", afterDashes: true },
  "kubectl debug": { values: "-n --namespace --image -c", afterDashes: true },
  "oc exec": { values: "-n --namespace -c --container", skip: 1 },
  "vagrant ssh": { scripts: "-c --command", skip: 99 },
  "gcloud compute ssh": { values: "--zone --project", scripts: "--command", skip: 99 },
  "heroku run": { values: "-a --app" },
  "fly ssh console": { values: "-a", scripts: "-C --command", skip: 99 },
  "git bisect run": {},
  "git submodule foreach": { text: true },
  "git rebase": { values: "--onto -s -X", scripts: "-x --exec", skip: 99 },
  "git filter-branch": {
    values: "",
    scripts: "--tree-filter --index-filter --msg-filter --env-filter --commit-filter",
    skip: 99,
  },
  "tmux new": { values: "-s -n -c -x -y -t -F -e", text: true },
  "tmux new-session": { values: "-s -n -c -x -y -t -F -e", text: true },
  "tmux new-window": { values: "-n -c -t -F -e", text: true },
  "tmux split-window": { values: "-l -c -t -F -e -p", text: true },
  "tmux run-shell": { values: "-t -d", text: true },
  "tmux run": { values: "-t -d", text: true },
  "tmux send-keys": { values: "-t -N", text: true },
  "tmux send": { values: "-t -N", text: true },
  screen: { values: "-S -t -c -p -h -s -T -e", skip: 0 },
  xterm: { values: "-T -geometry", scripts: "-e", skip: 99 },
};
