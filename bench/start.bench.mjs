import { besideEmptyNode, PROGRAM, project, timed } from "./lib/hook-process.mjs";

const GUARD = {
  name: "no-push",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  inline_rules: [
    { field: "command", operator: "contains", value: "git push", action: "deny", reason: "No." },
  ],
};

/**
 * A command that a person types, in a project with a hook, when its code is cached.
 *
 * @param {string} command
 * @param {string} expected
 */
async function against(command, expected) {
  const { cwd, alone, remove } = await project([GUARD]);
  try {
    process.chdir(cwd);
    return await besideEmptyNode(() => timed([PROGRAM, command], alone, "", expected), alone);
  } finally {
    remove();
  }
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "tenterhook --version",
    against: "node -e 0",
    bound: 2.5,
    measure: () => against("--version", "."),
  },
  {
    name: "tenterhook list",
    against: "node -e 0",
    bound: 8,
    measure: () => against("list", "no-push"),
  },
];
