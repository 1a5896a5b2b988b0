import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { hostileFilesSuite, userProject } from "./support/hostile-files-suite.ts";
import { shellCall } from "./support/project.ts";

function sparse(file: string, bytes: number): void {
  writeFileSync(file, "");
  truncateSync(file, bytes);
}

hostileFilesSuite(
  {
    "an endless device": (file) => symlinkSync("/dev/zero", file),
    "a terminal": (file) => symlinkSync("/dev/tty", file),
    "a socket": (file) => {
      const server = createServer().listen(file);
      onTestFinished(() => void server.close());
    },
    "a folder": (file) => void mkdirSync(file),
    "a huge file": (file) => sparse(file, 10_000_000_000),
  },
  { decidesHere: true },
);

it("files of an untrusted repository of hundreds of megabytes in all are not read", async () => {
  const project = userProject({ decidesHere: true });
  const names = Array.from({ length: 60 }, (_, at) => `big${at}.sh`);
  for (const name of names) sparse(join(project.cwd, name), 99_000_000);
  project.write(
    ".tenterhook/hooks.yaml",
    `hooks: { definitions: [{ name: a, matcher: { events: [PreToolUse] }, type: command, command: [sh, ${names.join(", ")}] }] }`,
  );
  const reply = await project.hook(shellCall("forbidden"));
  expect(reply.stdout).toContain("my own gate");
  expect((await project.run(["trust"])).stdout).toContain("(not text, 99000000 bytes)");
});
