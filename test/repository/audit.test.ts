import { expect, test } from "vitest";
import { findings } from "../../scripts/audit.mjs";

const ADVISORY = {
  title: "A long pattern never ends",
  url: "https://github.com/advisories/GHSA-aaaa-bbbb-cccc",
  severity: "high",
  range: "<7.6.0",
};

const LOCKED = {
  "node_modules/semver": { version: "7.9.0" },
  "node_modules/bullmq/node_modules/semver": { version: "7.5.0" },
  "node_modules/vite": { version: "7.3.8" },
};

test("the audit names a package with a known fault that our files contain, in the version that they contain", () => {
  const nodes = ["node_modules/bullmq/node_modules/semver"];
  const audit = {
    vulnerabilities: {
      semver: { name: "semver", via: [ADVISORY], nodes },
      bullmq: { name: "bullmq", via: ["semver"], nodes: ["node_modules/bullmq"] },
    },
  };
  expect(findings(audit, [{ name: "semver", version: "7.5.0" }], LOCKED)).toEqual([
    "- semver 7.5.0, high: [A long pattern never ends](https://github.com/advisories/GHSA-aaaa-bbbb-cccc)",
  ]);
  expect(findings(audit, [{ name: "semver", version: "7.9.0" }], LOCKED)).toEqual([]);
});

test("the audit leaves out tools of ours that users never get", () => {
  const audit = {
    vulnerabilities: { vite: { name: "vite", via: [ADVISORY], nodes: ["node_modules/vite"] } },
  };
  expect(findings(audit, [{ name: "semver", version: "7.5.0" }], LOCKED)).toEqual([]);
});
