import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { installHint } from "../../src/node/optional-package.ts";
import { PACKAGE_VERSION } from "../../src/node/package-version.ts";
import { isWhole, loadSqlite } from "../../src/node/sqlite/load-sqlite.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("Node's own SQLite", () => {
  it.each(["22.16.0", "22.21.1", "24.0.0", "25.1.0"])("of Node %s has what we use", (version) => {
    expect(isWhole(version)).toBe(true);
  });

  it.each(["20.19.0", "22.4.1", "22.5.0", "22.13.0", "22.15.1", "23.11.0"])(
    "of Node %s lacks some of it, or is not there",
    (version) => {
      expect(isWhole(version)).toBe(false);
    },
  );

  it("is replaced where it is not used", async () => {
    const { DatabaseSync } = await loadSqlite();
    const database = new DatabaseSync(":memory:");
    expect(database.isTransaction).toBe(false);
    database.close();
  });
});

describe("the command that installs a missing package", () => {
  const NAME = `tenterhook-sqlite@${PACKAGE_VERSION}`;
  const OWN = "node_modules/tenterhook/dist/commands/main.cjs";

  /** The hint of a copy of ours that is installed below a folder, in a project or not. */
  function hint({ path = OWN, isProject }: { path?: string; isProject: boolean }): string {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "node_modules"));
    if (isProject) writeFileSync(join(folder, "package.json"), "{}");
    return installHint("tenterhook-sqlite", join(folder, path)).split(": ")[1] ?? "";
  }

  test("is the one of a project, where ours is installed in one", () => {
    expect(hint({ isProject: true })).toBe(`npm install ${NAME}`);
  });

  test("installs globally where ours is installed globally", () => {
    expect(hint({ isProject: false })).toBe(`npm install -g ${NAME}`);
  });

  test("is pnpm's where pnpm has installed ours", () => {
    const path = `node_modules/.pnpm/tenterhook@0.1.0/${OWN}`;
    expect(hint({ path, isProject: true })).toBe(`pnpm add ${NAME}`);
  });
});
