/**
 * The packages that an installation may lack, each with the version that works: npm leaves them out with
 * `--omit=optional` and where they don't run, and never installs OpenTelemetry's by itself.
 */
const OPTIONAL_PACKAGES = {
  "@ai-sdk/google": 3,
  "@modelcontextprotocol/sdk": 1,
  "@opentelemetry/api": 1,
  "@photostructure/sqlite": 1,
} as const;

type OptionalPackage = keyof typeof OPTIONAL_PACKAGES;

/** What to do when an optional package can't be loaded, as a sentence. */
export function installHint(name: OptionalPackage): string {
  return `Install the package it needs: npm install ${name}@${OPTIONAL_PACKAGES[name]}`;
}
