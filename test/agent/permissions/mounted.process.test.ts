import { execFileSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, inject, it, onTestFinished } from "vitest";
import { actionOf, bash, call, ports } from "./support/permitted.ts";

const folder = realpathSync(mkdtempSync(join(inject("sharedFolder"), "mounted-")));
const project = join(folder, "project");
mkdirSync(join(project, "secret"), { recursive: true });
writeFileSync(join(project, "secret", "key"), "x");

const settings = { mode: "bypass", deny: ["Read(secret/**)"] } as const;
const given = { ...ports, workspace: [project] };
const said = (tool: string, input: unknown) => actionOf(settings, call(tool, input, { cwd: project }), given);
const ran = (line: string) => actionOf(settings, { ...bash(line), cwd: project }, given);

it("a folder that is mounted at a second place is the same folder", async () => {
  const second = join(folder, "second");
  mkdirSync(second);
  try {
    execFileSync("mount", ["--bind", join(project, "secret"), second], { stdio: "ignore" });
  } catch {
    // Only a superuser may mount: then the folder itself stands for it.
    rmdirSync(second);
    symlinkSync(join(project, "secret"), second);
  }
  onTestFinished(() => {
    if (!lstatSync(second).isSymbolicLink()) execFileSync("umount", [second]);
  });
  expect(await said("Read", { file_path: join(second, "key") })).toBe("deny");
  expect(await ran(`cat ${second}/key`)).toBe("deny");
  expect(await ran(`grep -r x ${second}`)).toBe("deny");
});
