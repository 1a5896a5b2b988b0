import { importSource } from "./source-tables.mjs";

/** @typedef {import("../../src/rules/packs/pack.ts").PackHook} PackHook */
/** @typedef {import("../../src/rules/packs/pack.ts").PackRule} PackRule */

/**
 * The page of the packs, and one for each pack with its rules.
 *
 * @param {string} root
 * @param {ReadonlyMap<string, import("../../src/rules/packs/pack.ts").Pack>} packs
 * @param {import("./options-page.mjs").Rows} rows
 * @returns {Promise<ReadonlyMap<string, string>>}
 */
export async function packPages(root, packs, rows) {
  /** @type {{ BLIND_SPOTS: Record<string, readonly string[]> }} */
  const { BLIND_SPOTS } = await importSource(root, "rules/packs/blind-spots.ts");
  const all = [...packs.values()];
  const table = rows(all, ({ name, description, definitions }) => [
    `[${name}](packs/${name}.md)`,
    description,
    String(definitions.flatMap((hook) => hook.rows).length),
  ]);
  const index = `# Packs

| pack | | rules |
| --- | --- | --- |
${table}
The guide says how to [switch them on and off](../guides/packs.md). A message that ends in \`(rule self-protection)\` is of no pack: every configuration [protects itself](../guides/configuration.md#self-protection).
`;
  return new Map([
    ["packs.md", index],
    ...all.map(({ name, description, definitions }) => {
      const hooks = definitions.map((hook) => hookSection(hook, BLIND_SPOTS[hook.name] ?? []));
      return /** @type {const} */ ([
        `packs/${name}.md`,
        `# ${name}\n\n${description} A test asks each rule about the lines below it.\n\n${hooks.join("\n")}`,
      ]);
    }),
  ]);
}

/** @param {PackHook} hook @param {readonly string[]} blindSpots */
function hookSection({ name, docs, rows }, blindSpots) {
  const blind = blindSpots.map((text) => `- ${text}`).join("\n");
  return `## ${name}\n\n${docs} It does not see:\n\n${blind}\n\n${rows.map(ruleSection).join("\n")}`;
}

/** @param {PackRule} rule */
function ruleSection({ id, answer, reason, instead, stops, passes }) {
  return `### ${id}

**${answer ?? "ask"}** – ${reason} *Instead:* ${instead}

Stops:

${list(stops)}

Lets through:

${list(passes)}
`;
}

/** @param {readonly import("../../src/rules/packs/pack.ts").PackExample[]} examples */
function list(examples) {
  return examples
    .map((one) => (typeof one === "string" ? one : `${one.tool_name} ${JSON.stringify(one.tool_input)}`))
    .map((text) => `- \`\` ${text} \`\``)
    .join("\n");
}
