/**
 * The built rules. The address is computed so that type checks do not need a build.
 *
 * @returns {Promise<{
 *   compileInlineRules(definition: unknown, ports: unknown): Promise<{ decide(event: unknown): unknown }>,
 *   openInlineRules(definition: unknown, ports: unknown): { decide(event: unknown): unknown },
 * }>}
 */
export function builtRules() {
  return import(new URL("../../dist/rules/rules.js", import.meta.url).href);
}
