import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { needs } from "../../support/needs.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { newProject, type Project, shellCall } from "./project.ts";

const RULE = (word: string) => `hooks:
  definitions:
    - name: no-${word}
      type: inline
      matcher: { events: [PreToolUse] }
      rules: 'command contains "${word}" -> deny("The team says no to ${word}.")'
`;

/** A git repository with a policy, at the tag v1. */
export function teamPolicy(): {
  address: string;
  folder: string;
  git: (...args: readonly string[]) => string;
} {
  const folder = temporaryFolder();
  needs("git");
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  git("init", "--quiet");
  writeFileSync(join(folder, "hooks.yaml"), RULE("publish"));
  git("add", ".");
  git("commit", "--quiet", "-m", "first");
  git("tag", "v1");
  return { address: `git+file://${folder}#v1`, folder, git };
}

/** The policy's repository says something else, and its tag has moved there. */
export function moveTag({ folder, git }: ReturnType<typeof teamPolicy>, word: string): void {
  writeFileSync(join(folder, "hooks.yaml"), RULE(word));
  git("commit", "--quiet", "-am", "second");
  git("tag", "--force", "v1");
}

export function projectWith(...use: readonly string[]): Project {
  const project = newProject({ decidesHere: true });
  project.write(".tenterhook/hooks.yaml", JSON.stringify({ hooks: { use } }));
  return project;
}

export const lockOf = ({ cwd }: Project) =>
  JSON.parse(readFileSync(join(cwd, ".tenterhook/policy.lock"), "utf8")).policies;

export async function trusted(project: Project): Promise<void> {
  expect(await project.run(["trust", "--yes"])).toMatchObject({ code: 0 });
}

export async function decided(project: Project, command: string): Promise<string> {
  const { stdout, stderr } = await project.hook(shellCall(command));
  const { permissionDecision = "", permissionDecisionReason = "" } =
    stdout === "" ? {} : (JSON.parse(stdout).hookSpecificOutput ?? {});
  return `${permissionDecision} ${permissionDecisionReason}${stderr}`.trim();
}

/** A package registry on this machine with one package. */
export async function registryWith(
  name: string,
  versions: readonly string[],
  isSilent: () => boolean = () => false,
): Promise<string> {
  const folder = temporaryFolder();
  const tarballs = new Map(
    versions.map((version) => {
      const root = join(folder, version, "package");
      mkdirSync(join(root, "scripts"), { recursive: true });
      const scripts = { install: `touch ${join(folder, "was-run")}` };
      writeFileSync(join(root, "package.json"), JSON.stringify({ name, version, scripts }));
      writeFileSync(join(root, "hooks.yaml"), RULE("publish"));
      return [version, execFileSync("tar", ["-czf", "-", "-C", dirname(root), "package"])];
    }),
  );
  const server = createServer(({ url = "" }, response) => {
    if (isSilent()) return;
    const [, version = ""] = /-(\d+\.\d+\.\d+)\.tgz$/.exec(url) ?? [];
    const tarball = tarballs.get(version);
    if (tarball !== undefined) return void response.end(tarball);
    const host = `http://127.0.0.1:${Reflect.get(server.address() ?? {}, "port")}`;
    const rows = [...tarballs].map(([one, bytes]) => {
      const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
      return [one, { name, version: one, dist: { tarball: `${host}/p-${one}.tgz`, integrity } }];
    });
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({ name, "dist-tags": { latest: versions.at(-1) }, versions: Object.fromEntries(rows) }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${Reflect.get(server.address() ?? {}, "port")}`;
}
