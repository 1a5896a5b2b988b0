/** The same rules in the form others take them. */

/** @typedef {import("./rules-mix.mjs").MixedRule} MixedRule */

/**
 * A package of bench/peers; what it exports is not known here, since it is not installed by default.
 *
 * @param {string} name
 * @returns {Promise<any>}
 */
function peer(name) {
  return import(new URL(`../peers/${name}.mjs`, import.meta.url).href);
}

/**
 * Tests to be tried one after the other: a regular expression, picomatch, or a search for text.
 *
 * @param {readonly MixedRule[]} rules
 */
export async function naiveTests(rules) {
  const { picomatch } = await peer("picomatch");
  return rules.map(({ field, operator, value }) => {
    const regex = operator === "matches" ? new RegExp(value) : undefined;
    /** @type {((text: string) => boolean) | undefined} */
    const glob = operator === "glob" ? picomatch(value, { bash: field === "command", dot: true }) : undefined;
    const holds = (/** @type {string} */ text) => regex?.test(text) ?? glob?.(text) ?? text.includes(value);
    return { field, holds };
  });
}

/**
 * CEL expressions. CEL has no glob, so a glob becomes a regular expression.
 *
 * @param {readonly MixedRule[]} rules
 * @returns {Promise<((context: object) => unknown)[]>}
 */
export async function celTests(rules) {
  const { parse } = await peer("cel-js");
  return rules.map(({ tool, field, operator, value }) => {
    const pattern = operator === "glob" ? globSource(value) : value;
    const call = operator === "contains" ? "contains" : "matches";
    return parse(`tool == ${JSON.stringify(tool)} && ${field}.${call}(${JSON.stringify(pattern)})`);
  });
}

/**
 * An engine with an operator for regular expressions, compiled once.
 *
 * @param {readonly MixedRule[]} rules
 * @returns {Promise<{ run(facts: object): Promise<unknown> }>}
 */
export async function jsonRulesEngine(rules) {
  const { Engine } = await peer("json-rules-engine");
  const engine = new Engine();
  engine.addOperator("holds", (/** @type {string} */ text, /** @type {RegExp} */ regex) => regex.test(text));
  for (const rule of rules) {
    const conditions = {
      all: [
        { fact: "tool", operator: "equal", value: rule.tool },
        { fact: rule.field, operator: "holds", value: new RegExp(sourceOf(rule)) },
      ],
    };
    engine.addRule({ conditions, event: { type: "deny" } });
  }
  return engine;
}

/** @param {MixedRule} rule */
function sourceOf({ operator, value }) {
  if (operator === "matches") return value;
  return operator === "glob" ? globSource(value) : value.replaceAll(/[.+^$()|[\]\\{}*]/g, "\\$&");
}

/** @param {string} glob */
function globSource(glob) {
  const escaped = glob.replaceAll(/[.+^$()|[\]\\]/g, "\\$&");
  return `^${escaped.replaceAll(/\*+/g, ".*").replaceAll("{", "(").replaceAll("}", ")").replaceAll(",", "|")}$`;
}
