import { importSource } from "./source-tables.mjs";

/** What every rule that is for real leaves alone; said once at the top of the page. */
const DRY_RUNS = / !--(?:dry-?run|simulate|no-act|what-if|help)\b/g;
const LONGEST = 160;

/**
 * The page of the packs: what each rule asks about and answers, examples, and what it does not see.
 *
 * @param {string} root
 * @param {ReadonlyMap<string, import("../../src/rules/packs/pack.ts").Pack>} packs
 * @returns {Promise<string>}
 */
export async function packsPage(root, packs) {
  /** @type {{ BLIND_SPOTS: Record<string, readonly string[]> }} */
  const { BLIND_SPOTS } = await importSource(root, "rules/packs/blind-spots.ts");
  const sections = [...packs.values()].map(({ name, description, definitions }) => {
    const hooks = definitions.map((definition) =>
      hookSection(definition, BLIND_SPOTS[definition.name] ?? []),
    );
    return `## ${name}\n\n${description}\n\n${hooks.join("\n")}`;
  });
  return `# Packs

Rules that ship with the package. \`await hooks.use("safe-shell", "protect-secrets")\` switches them on; \`hooks.disable(name)\` switches one hook of a pack off.

Below, what a rule looks for is written as in [rules](../guides/rules.md): \`runs\` patterns of programs and behaviours, and paths or hosts that are touched. Commands with \`--dry-run\`, \`--simulate\`, \`--no-act\`, \`--what-if\` or \`--help\` are left alone where that says they do nothing.

${sections.join("\n")}`;
}

/**
 * @param {import("../../src/rules/packs/pack.ts").PackDefinition} definition
 * @param {readonly string[]} blindSpots
 */
function hookSection({ name, docs, rules, examples }, blindSpots) {
  const answers = rules.split("\n").map((line) => {
    const [, when = "", answer = "", reason = ""] =
      /^(.*) -> (ask|deny)\("((?:[^"\\]|\\.)*)"\)$/.exec(line) ?? [];
    return `- ${answer}: ${reason}\n  <details><summary>looks for</summary>\n\n  ${soughtBy(when).map(code).join(", ")}\n\n  </details>`;
  });
  const lines = (/** @type {"match" | "not_match"} */ key) =>
    examples
      .flatMap((example) => (key in example ? [Reflect.get(example, key)] : []))
      .filter((line) => typeof line === "string");
  return [
    `### ${name}`,
    docs,
    answers.join("\n"),
    `Stops: ${lines("match").map(code).join(", ")}.`,
    `Leaves alone: ${lines("not_match").map(code).join(", ")}.`,
    `Does not see:\n\n${blindSpots.map((text) => `- ${text}`).join("\n")}\n`,
  ].join("\n\n");
}

/**
 * The patterns of a condition, each once.
 *
 * @param {string} when
 * @returns {string[]}
 */
function soughtBy(when) {
  const found = [
    ...when.matchAll(/\b(runs|reads|writes|connects|in) ("(?:[^"\\]|\\.)*"|\[[^\]]*\])|\b(dynamic)\b/g),
  ];
  const texts = found.map(([, operator, value = "", word]) => {
    const text = value.startsWith('"') ? JSON.parse(value).replace(DRY_RUNS, "") : value;
    return word ?? (operator === "runs" ? text : `${operator} ${text}`);
  });
  return [...new Set(texts)].map((text) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text));
}

/** @param {string} text */
function code(text) {
  return `\`\` ${text} \`\``;
}
