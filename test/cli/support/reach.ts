import { execFileSync } from "node:child_process";
import { needs } from "../../support/needs.ts";
import { newProject, type Project } from "./project.ts";

export const SECRET = "never-shown-4711";

/** A project with work in git and a home with keys. */
export function livedIn(): Project {
  const project = newProject();
  needs("git");
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
      cwd: project.cwd,
      env: project.environment,
      stdio: "ignore",
    });
  git("init", "-q", "-b", "main");
  project.write("src/a.ts", "export {};\n");
  git("add", "src");
  git("commit", "-q", "-m", "one");
  project.write("src/a.ts", "changed\n");
  git("stash");
  project.write("src/a.ts", "changed again\n");
  project.write(".env", `TOKEN=${SECRET}\n`);
  project.write(".env.example", "TOKEN=\n");
  project.write("api/.env.local", `TOKEN=${SECRET}\n`);
  project.write("node_modules/x/.env", "");
  project.write("data/app.sqlite", SECRET);
  for (const file of ["id_ed25519", "id_ed25519.pub", "config", "known_hosts", "work.pem"])
    project.write(`../home/.ssh/${file}`, SECRET);
  project.write("../home/.aws/credentials", SECRET);
  project.write("../home/.aws/config", "[default]\n[profile acme-prod]\nregion = x\n[profile dev]\n");
  project.write("../home/.npmrc", SECRET);
  project.write(
    "../home/.kube/config",
    `contexts:\n- context: {}\n  name: prod-eu\n- context: {}\n  name: minikube\nusers:\n- name: me\n  user: { token: ${SECRET} }\n`,
  );
  project.write("../home/.gnupg/pubring.kbx", SECRET);
  return project;
}

export async function things(project: Project) {
  const { stdout } = await project.run(["reach", "--json"]);
  return JSON.parse(stdout);
}
