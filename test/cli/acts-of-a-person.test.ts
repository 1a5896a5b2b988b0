import { describe, expect, it } from "vitest";
import type { Standing } from "../../src/monitor/person/standing.ts";
import { newProject } from "./support/project.ts";
import { runCliAs } from "./support/run-cli.ts";
import { UNTRUSTED } from "./support/suspended-session.ts";

const ASKED: Standing = {
  is: "asked",
  why: "This terminal was there only after claude.",
  question: "0123456789abcdef",
};
const SERVICE: Standing = { is: "person", hasTerminal: false };

function untrusted() {
  const project = newProject();
  project.write(".tenterhook/hooks.yaml", UNTRUSTED);
  const as = (standing: Standing, ...args: readonly string[]) =>
    runCliAs(standing, project.cwd, project.environment, ...args);
  const digest = async () => JSON.parse((await as(SERVICE, "trust", "--list", "--json")).stdout).digest;
  return { as, digest };
}

describe("from a terminal that an agent may have opened", () => {
  it.each([
    [["trust", "--yes"]],
    [["disable", "mine"]],
    [["uninstall", "claude"]],
    [["daemon", "stop"]],
    [["daemon", "restart"]],
    [["daemon", "stop", "--for-good"]],
    [["agents", "dismiss", "a1"]],
  ])("%j is refused, and says where to say who it is", async (args) => {
    const { as } = untrusted();
    const { code, stderr } = await as(ASKED, ...args);
    expect([code, stderr.replaceAll(/\s+/g, " ")]).toEqual([
      1,
      expect.stringMatching(/Only a person decides this\. .*tenterhook answer 01234567 yes/),
    ]);
  });

  it("what only looks is not", async () => {
    const { as } = untrusted();
    for (const args of [["list"], ["trust", "--list"], ["uninstall", "claude", "--dry-run"]])
      expect(await as(ASKED, ...args)).toMatchObject({ code: 0 });
  });
});

describe("trust without a terminal", () => {
  it("needs the digest of what somebody has looked at", async () => {
    const { as, digest } = untrusted();
    const { code, stderr } = await as(SERVICE, "trust", "--yes");
    expect([code, stderr.replaceAll(/\s+/g, " ")]).toEqual([1, expect.stringMatching(/.* to --digest\./)]);
    expect(await as(SERVICE, "trust", "--digest", await digest())).toMatchObject({ code: 0 });
    expect((await as(SERVICE, "trust", "--list")).stdout).toContain(" trusted ");
    const other = await as(SERVICE, "trust", "--digest", "0".repeat(64));
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("have another digest")]);
  });

  it("is not given to anything else", async () => {
    const { as, digest } = untrusted();
    const { code, stderr } = await as(SERVICE, "trust", "--digest", "0".repeat(64));
    expect([code, stderr]).toEqual([1, expect.stringContaining(`It is ${await digest()} now`)]);
    expect(await as(ASKED, "trust", "--digest", await digest())).toMatchObject({ code: 1 });
  });

  it("has the same digest in another place", async () => {
    const [one, other] = [untrusted(), untrusted()];
    expect(await one.digest()).toBe(await other.digest());
  });
});
