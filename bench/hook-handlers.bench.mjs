import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { startDaemon } from "./lib/daemon.mjs";
import { besideEmptyNode, emptyNode, PROGRAM, payloadOf, project, timed } from "./lib/hook-process.mjs";
import { inTurns } from "./measure.mjs";

const ROUNDS = 10;
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
  const made = await project(
    definitions.map((definition, number) => ({ name: `hook-${number}`, ...ON_EVERY_TOOL, ...definition })),
    files,
  );
  const { cwd, environment, alone } = made;
  const payload = () => payloadOf(cwd, "Bash", { command: "npm run build" });
  return {
    ...made,
    hook: (expected = "") => timed([PROGRAM, "hook"], alone, payload(), expected),
    asked: () => timed([PROGRAM, "hook"], environment, payload()),
    /** @param {string} command */
    bare: (command) => timed(["/bin/sh", "-c", command], alone, payload()),
  };
}

/**
 * @param {object} definition
 * @param {Readonly<Record<string, string>>} [files]
 * @param {string} [expected]
 */
async function one(definition, files, expected) {
  const { alone, hook, remove } = await hookProject([definition], files);
  try {
    return await besideEmptyNode(() => hook(expected), alone);
  } finally {
    remove();
  }
}

/**
 * A hook that stays loaded in the daemon, compared with the same hook in a process.
 *
 * @param {object} definition
 * @param {Readonly<Record<string, string>>} files
 */
async function kept(definition, files) {
  const { environment, hook, asked, remove } = await hookProject([definition], files);
  await hook();
  const daemon = await startDaemon(environment);
  try {
    return await inTurns(ROUNDS, asked, hook);
  } finally {
    await daemon.stop();
    remove();
  }
}

async function sevenCommands() {
  const { cwd, alone, hook, bare, remove } = await hookProject(
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
      ROUNDS,
      () => hook(),
      async () => 1.3 * (await together()) + 1.2 * (await emptyNode(alone)),
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
    name: "tenterhook hook, seven shell hooks",
    against: "1.3 times the seven alone + 1.2 times node -e 0",
    bound: 1,
    measure: sevenCommands,
  },
  {
    // The module has a process of its own.
    name: "tenterhook hook, a module hook",
    against: "node -e 0",
    bound: 4.4,
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
    measure: () => kept(...MODULE),
  },
  {
    name: "tenterhook hook with the daemon, a persistent hook that stays",
    against: "the same without the daemon",
    bound: 0.4,
    measure: () => kept(...PERSISTENT),
  },
];
