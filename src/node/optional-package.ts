/** The packages that are not installed with ours, each with the version that it works with. */
const OPTIONAL_PACKAGES = {
  "@ai-sdk/google": 3,
  "@hono/node-server": 2,
  "@modelcontextprotocol/sdk": 1,
  "@opentelemetry/api": 1,
  "@photostructure/sqlite": 1,
  hono: 4,
} as const;

type OptionalPackage = keyof typeof OPTIONAL_PACKAGES;

/** What to do when optional packages can't be loaded, as a sentence. */
export function installHint(...names: readonly [OptionalPackage, ...OptionalPackage[]]): string {
  const what = names.length === 1 ? "the package it needs" : "the packages it needs";
  return `Install ${what}: npm install ${names.map((name) => `${name}@${OPTIONAL_PACKAGES[name]}`).join(" ")}`;
}
