import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { startDaemon } from "./lib/daemon.mjs";
import {
  besideEmptyNode,
  emptyNode,
  inTurns,
  PROGRAM,
  payloadOf,
  project,
  quickest,
  timed,
} from "./lib/hook-process.mjs";

const SERVER = fileURLToPath(new URL("./lib/reply-server.mjs", import.meta.url));
const SEVEN = Array.from({ length: 7 }, (_, number) => number);

/** A guard as people write it: it takes two fields out of the event and looks at them. */
const GUARD = `#!/bin/sh
input=$(cat)
tool=$(printf '%s' "$input" | jq -r .tool_name)
command=$(printf '%s' "$input" | jq -r .tool_input.command)
case "$tool $command" in *"rm -rf"*) exit 2 ;; esac
`;

/** A process that stays, without Node's start. */
const WORKER = `#!/bin/sh
while read -r line; do
  id=\${line##*'"request_id":"'}
  printf '{"request_id":"%s"}\\n' "\${id%%'"'*}"
done
`;

/** @type {readonly [object, Readonly<Record<string, string>>]} */
const MODULE = [{ type: "module", module: "hook.mjs" }, { "hook.mjs": "export default () => undefined;\n" }];
/** @type {readonly [object, Readonly<Record<string, string>>]} */
const PERSISTENT = [{ type: "command", script: "worker.sh", mode: "persistent" }, { "worker.sh": WORKER }];

const ON_EVERY_TOOL = { matcher: { events: ["PreToolUse"] } };

/**
 * @param {readonly object[]} definitions
 * @param {Readonly<Record<string, string>>} [files]
 */
async function hookProject(definitions, files) {
  const { cwd, environment, remove } = await project(
    definitions.map((definition, number) => ({ name: `hook-${number}`, ...ON_EVERY_TOOL, ...definition })),
    files,
  );
  const payload = () => payloadOf(cwd, "Bash", "npm run build");
  const hook = (expected = "") => timed([PROGRAM, "hook"], environment, payload(), expected);
  /** @param {string} command */
  const bare = (command) => timed(["-c", command], { ...environment, PWD: cwd }, payload(), "", "/bin/sh");
  return { cwd, environment, hook, bare, remove };
}

/**
 * @param {object} definition
 * @param {Readonly<Record<string, string>>} [files]
 * @param {string} [expected]
 */
async function one(definition, files, expected) {
  const { environment, hook, remove } = await hookProject([definition], files);
  try {
    return await besideEmptyNode(() => hook(expected), environment);
  } finally {
    remove();
  }
}

/**
 * A hook that stays loaded with the daemon, compared with the same hook without it.
 *
 * @param {object} definition
 * @param {Readonly<Record<string, string>>} files
 */
async function warm(definition, files) {
  const { cwd, environment, hook, remove } = await hookProject([definition], files);
  await hook();
  const daemon = await startDaemon(environment);
  const payload = () => payloadOf(cwd, "Bash", "npm run build");
  try {
    return await inTurns(
      () => quickest(() => timed(["hook"], environment, payload(), "", PROGRAM)),
      () => quickest(hook),
    );
  } finally {
    await daemon.stop();
    remove();
  }
}

async function command() {
  const { environment, hook, bare, remove } = await hookProject([{ type: "command", command: "true" }]);
  try {
    return await inTurns(
      async () => (await quickest(() => hook())) - (await quickest(() => bare("true"))),
      () => quickest(() => emptyNode(environment)),
    );
  } finally {
    remove();
  }
}

async function sevenCommands() {
  const { cwd, environment, hook, bare, remove } = await hookProject(
    SEVEN.map((number) => ({ type: "command", script: `guard-${number}.sh`, parallel: true })),
    Object.fromEntries(SEVEN.map((number) => [`guard-${number}.sh`, GUARD])),
  );
  const together = async () => {
    const start = performance.now();
    await Promise.all(SEVEN.map((number) => bare(`exec /bin/sh ${cwd}/guard-${number}.sh`)));
    return performance.now() - start;
  };
  try {
    return await inTurns(
      () => quickest(() => hook()),
      async () => 1.3 * (await quickest(together)) + 1.2 * (await quickest(() => emptyNode(environment))),
    );
  } finally {
    remove();
  }
}

async function http() {
  const server = fork(SERVER);
  try {
    const [url] = await once(server, "message");
    return await one({ type: "http", url }, {}, "seen");
  } finally {
    server.disconnect();
  }
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "tenterhook hook, a command hook without the command's own time",
    against: "node -e 0",
    bound: 2.2,
    measure: command,
  },
  {
    name: "tenterhook hook, seven shell hooks",
    against: "1.3 times the seven alone + 1.2 times node -e 0",
    bound: 1,
    measure: sevenCommands,
  },
  {
    name: "tenterhook hook, a module hook",
    against: "node -e 0",
    bound: 2.5,
    measure: () => one(...MODULE),
  },
  {
    name: "tenterhook hook, an http hook",
    against: "node -e 0",
    bound: 2.5,
    measure: http,
  },
  {
    name: "tenterhook hook, a persistent hook",
    against: "node -e 0",
    bound: 2.5,
    measure: () => one(...PERSISTENT),
  },
  {
    name: "tenterhook hook with the daemon, a module hook that stays loaded",
    against: "the same without the daemon",
    bound: 0.4,
    measure: () => warm(...MODULE),
  },
  {
    name: "tenterhook hook with the daemon, a persistent hook that stays",
    against: "the same without the daemon",
    bound: 0.4,
    measure: () => warm(...PERSISTENT),
  },
];
