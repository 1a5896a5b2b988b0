import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

/**
 * The list of what the built files contain, as auditors read it (CycloneDX). It has no date, so that two builds of the same
 * sources have the same one.
 *
 * @param {readonly import("./licenses.mjs").BundledPackage[]} packages
 * @param {{ name: string, version: string, license: string }} ours
 */
export function sbomOf(packages, ours) {
  /** @type {{ packages: Record<string, { integrity?: string }> }} */
  const { packages: locked } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const sbom = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: component(ours) },
    components: packages.map((one) => ({ ...component(one), ...hashes(locked[one.folder]?.integrity) })),
  };
  return `${JSON.stringify(sbom, null, 1)}\n`;
}

/** @param {{ name: string, version: string, license: string }} one */
function component({ name, version, license }) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return { type: "library", "bom-ref": purl, name, version, licenses: [{ license: { id: license } }], purl };
}

/**
 * The hash of the archive that npm has checked.
 *
 * @param {string} [integrity]
 */
function hashes(integrity) {
  const [, base64] = /^sha512-(.*)$/.exec(integrity ?? "") ?? [];
  if (base64 === undefined) return {};
  return { hashes: [{ alg: "SHA-512", content: Buffer.from(base64, "base64").toString("hex") }] };
}
