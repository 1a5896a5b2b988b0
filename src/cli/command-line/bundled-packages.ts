import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isRecord } from "../../core/base/json.ts";

/** The packages that the built files contain, each as its name and version. The build has listed them. */
export function bundledPackages(): readonly string[] {
  const root = dirname(createRequire(import.meta.url).resolve("tenterhook/package.json"));
  const sbom: unknown = JSON.parse(readFileSync(join(root, "dist/sbom.cdx.json"), "utf8"));
  const components = isRecord(sbom) && Array.isArray(sbom.components) ? sbom.components : [];
  return components.map(({ name, version }) => `${name} ${version}`);
}
