import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createHooks } from "tenterhook";
import { followConfig, grantTrust, reviewTrust } from "tenterhook/config";
import { describe, expect, it, onTestFinished } from "vitest";
import { bashCall } from "../support/events.ts";
import { leaveOut, notRoot } from "../support/not-here.ts";
import { mounted, noMount } from "./support/mount.ts";
import { hooksFile, type Project, project } from "./support/project.ts";

type Unwritable = readonly [
  what: string,
  spoil: (files: Project) => void,
  reason: string,
  notHere: string | undefined,
];

/** Ways in which nothing can be written into the state and cache folders, and what is said then. */
const UNWRITABLE: readonly Unwritable[] = [
  [
    "a file stands in its place",
    (files: Project) => {
      writeFileSync(files.path("state"), "");
      writeFileSync(files.path("cache"), "");
    },
    "a file is in the place of a folder",
    undefined,
  ],
  [
    "this user may not write there",
    (files: Project) => {
      for (const folder of ["state", "cache"]) {
        mkdirSync(files.path(folder));
        chmodSync(files.path(folder), 0o500);
      }
    },
    "this user may not write there",
    notRoot === undefined ? "The tests run as root, who may write everywhere." : undefined,
  ],
  [
    "it is read-only",
    (files: Project) => {
      mounted(files.path("state"), "ro");
      mounted(files.path("cache"), "ro");
    },
    "the file system is read-only",
    noMount,
  ],
  [
    "the disk is full",
    (files: Project) => {
      for (const folder of ["state", "cache"]) {
        mounted(files.path(folder), "size=4k");
        try {
          writeFileSync(files.path(`${folder}/filler`), Buffer.alloc(100_000));
        } catch {
          // Full is what it is meant to be.
        }
      }
    },
    "the disk is full",
    noMount,
  ],
];

async function asked(files: Project, cwd = files.options.cwd) {
  const hooks = createHooks();
  const followed = await followConfig(hooks, { ...files.options, cwd });
  onTestFinished(() => followed.close());
  const { action } = await hooks.fire(bashCall("p"));
  return { hooks, action, config: followed.config };
}

describe.each(UNWRITABLE)("when nothing can be kept because %s", (_, spoil, reason, notHere) => {
  leaveOut(notHere);

  it("trust is not given, with a message that says why, and gates stay closed", async () => {
    const files = project({ "hooks.yaml": hooksFile("p") });
    spoil(files);
    const review = await reviewTrust(files.options);
    await expect(grantTrust(review, files.options)).rejects.toMatchObject({
      code: "state_unwritable",
      message: expect.stringMatching(
        new RegExp(`^Trust can't be stored in ${files.path("state/tenterhook/trust/")}\\w+: ${reason}\\.$`),
      ),
      hint: expect.stringContaining("XDG_STATE_HOME"),
    });
    const { action, config } = await asked(files);
    expect([action, config.trust.state]).toEqual(["deny", "untrusted"]);
  });

  it("the user's own hooks work, a bad edit closes every gate, and a warning says so before", async () => {
    const files = project({ "user/tenterhook/hooks.yaml": hooksFile("p") });
    spoil(files);
    const { hooks, action, config } = await asked(files);
    const warnings = config.warnings.map(({ message }) => message);
    expect([action, warnings.filter((text) => !text.startsWith("The stored trust in "))]).toEqual([
      "deny",
      [
        expect.stringMatching(
          /^Can't store a copy of this configuration \(E\w+\)\. If its files become unreadable, every gate will be closed\.$/,
        ),
      ],
    ]);
    files.write("user/tenterhook/hooks.yaml", "hooks: [");
    expect([(await hooks.fire(bashCall("p"))).action, (await hooks.fire(bashCall("x"))).action]).toEqual([
      "deny",
      "deny",
    ]);
    expect((await asked(files)).action).toBe("deny");
    expect(
      existsSync(files.path("cache/tenterhook")) ? readdirSync(files.path("cache/tenterhook")) : [],
    ).toEqual([]);
  });
});

it("a project behind a link is the same project, trusted or not", async () => {
  const files = project({ "hooks.yaml": hooksFile("p") });
  symlinkSync(files.path("project"), files.path("link"));
  expect((await asked(files, files.path("link"))).config.trust.state).toBe("untrusted");
  await files.trust(files.path("link"));
  for (const cwd of ["link", "project"]) {
    const { hooks, config } = await asked(files, files.path(cwd));
    expect([config.trust.root, config.trust.state, (await hooks.fire(bashCall("x"))).action]).toEqual([
      files.path("project"),
      "trusted",
      "continue",
    ]);
  }
});

it("a working folder that is not there closes every gate and says so", async () => {
  const files = project();
  const { action, config } = await asked(files, files.path("gone"));
  expect([action, config.broken?.problems.map(({ message }) => message)]).toEqual([
    "deny",
    ["There is no such folder."],
  ]);
});
