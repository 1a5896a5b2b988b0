import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { reviewTrust } from "tenterhook/config";
import { describe, expect, it } from "vitest";
import { revokeInClones, trustClone, trustInClones } from "../../src/config/trust/repository.ts";
import { trustFolder } from "../../src/config/trust/store.ts";
import { hooksFile, project } from "./support/project.ts";

const REPOSITORY = "https://host/team/app.git";

/** A clone of a repository with a hook, whose files somebody has trusted in clones. */
async function trustedClone(repository: string) {
  const { options } = project({ "project/.tenterhook/hooks.yaml": hooksFile("a") });
  const { environment } = options;
  const review = () => reviewTrust(options);
  await trustInClones(repository, await review(), environment);
  return {
    environment,
    mayBegin: async (name = REPOSITORY) => trustClone(name, await review(), environment),
  };
}

describe("trust in clones", () => {
  it("that is taken back closes clones in which an agent was before", async () => {
    const { environment, mayBegin } = await trustedClone(REPOSITORY);
    expect(await mayBegin()).toBe(true);
    expect(await revokeInClones(REPOSITORY, environment)).toBe(1);
    expect(await mayBegin()).toBe(false);
  });

  it("that is taken back lets no version without hooks through", async () => {
    const { environment } = await trustedClone(REPOSITORY);
    await revokeInClones(REPOSITORY, environment);
    const bare = await reviewTrust(project().options);
    expect(bare.state).toBe("nothing");
    expect(await trustClone(REPOSITORY, bare, environment)).toBe(false);
    expect(await trustClone("https://host/other.git", bare, environment)).toBe(true);
  });

  it("is of the repository whoever reads it, and stores no password", async () => {
    const { environment, mayBegin } = await trustedClone("https://robot:hunter2@host/team/app.git");
    expect(await mayBegin("https://other:secret@host/team/app.git")).toBe(true);
    expect(await mayBegin("https://host/team/app.git")).toBe(true);
    const folder = join(trustFolder("", environment), "..");
    const stored = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".json"))
      .map((name) => readFileSync(join(folder, name), "utf8"));
    expect(stored.join("\n")).toContain("repository https://host/team/app.git");
    expect(stored.join("\n")).not.toContain("hunter2");
  });
});
