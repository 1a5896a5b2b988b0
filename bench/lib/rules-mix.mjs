/**
 * Rules like those people write, by the same mix as the project's earlier measurements: 60 % about commands, 40 %
 * about paths; 40 % contains, 30 % glob, 30 % regular expressions. The same `count` always gives the same rules.
 */

/**
 * @typedef {object} MixedRule
 * @property {string} tool
 * @property {"command" | "path"} field
 * @property {"contains" | "glob" | "matches"} operator
 * @property {string} value
 * @property {string} sample A text it fits.
 */

const VERBS = [
  ["git", "push"],
  ["docker", "rm"],
  ["kubectl", "delete"],
  ["terraform", "destroy"],
  ["aws", "s3", "rm"],
  ["npm", "publish"],
  ["psql", "-c"],
  ["systemctl", "stop"],
  ["gcloud", "sql"],
  ["helm", "uninstall"],
];

/** @param {number} seed */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * @param {number} count
 * @returns {MixedRule[]}
 */
export function mixedRules(count) {
  const random = randomFrom(20_261_115);
  const below = (/** @type {number} */ limit) => Math.floor(random() * limit);
  const word = () => Array.from({ length: 4 + below(5) }, () => String.fromCharCode(97 + below(26))).join("");
  return Array.from({ length: count }, () => {
    const kind = random();
    const name = word();
    const verb = VERBS[below(VERBS.length)] ?? ["git", "push"];
    return random() < 0.6
      ? commandRule(kind, verb, name)
      : pathRule(kind, name, ["Edit", "Write", "Read"][below(3)] ?? "Read");
  });
}

/**
 * @param {number} kind
 * @param {string[]} verb
 * @param {string} name
 * @returns {MixedRule}
 */
function commandRule(kind, verb, name) {
  const sample = `${verb.join(" ")} ${name}`;
  const rule = /** @type {const} */ ({ tool: "Bash", field: "command", sample });
  if (kind < 0.4) return { ...rule, operator: "contains", value: sample };
  if (kind < 0.7) return { ...rule, operator: "glob", value: `*${verb.join(" ")}*${name}*` };
  return { ...rule, operator: "matches", value: `\\b${verb.join("\\s+")}\\s+(-\\w+\\s+)*${name}\\b` };
}

/**
 * @param {number} kind
 * @param {string} name
 * @param {string} tool
 * @returns {MixedRule}
 */
function pathRule(kind, name, tool) {
  const rule = /** @type {const} */ ({ tool, field: "path" });
  const at = (/** @type {string} */ file) => `/project/${name}/${file}`;
  if (kind < 0.4) return { ...rule, operator: "contains", value: `/${name}/`, sample: at("a.md") };
  if (kind < 0.7)
    return { ...rule, operator: "glob", value: `**/${name}/**/*.{pem,key,env}`, sample: at("b/c.key") };
  return { ...rule, operator: "matches", value: `(^|/)${name}/.*\\.(ts|js|json)$`, sample: at("b/c.ts") };
}

/**
 * The rules as an inline hook.
 *
 * @param {number} count
 */
export function inlineDefinition(count) {
  return {
    name: "bench",
    inline_rules: mixedRules(count).map(({ tool, field, operator, value }) => ({
      all: [
        { field: "tool", operator: "equals", value: tool },
        { field, operator, value },
      ],
      action: "deny",
      reason: "No",
    })),
  };
}

/** A line no rule of the mix fits. */
export const COMMAND =
  "cd packages/api && npm run build -- --filter=web --no-cache 2>&1 | tee build.log && git status --short && node scripts/check.js --all";

export const EVENT = {
  hook_event_name: "PreToolUse",
  session_id: "bench",
  cwd: "/project",
  tool_name: "Bash",
  tool_input: { command: COMMAND },
};

/** Ports without a file system. */
export const PORTS = {
  home: "/home/bench",
  /** @param {string} path @param {string} cwd */
  normalisePath: (path, cwd) => (path.startsWith("/") ? path : `${cwd}/${path}`),
};
