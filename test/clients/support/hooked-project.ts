import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../../cli/support/project.ts";
import { trustProject } from "../../support/trust-project.ts";
import { clientProject } from "./client.ts";
import type { Shape, Way } from "./shapes.ts";

/** A project with a hook of these shapes on each event, called in this way. */
export async function hookedProject(
  way: Way,
  handlers: Readonly<Record<string, object>>,
  shapes: readonly Shape[],
): Promise<Project> {
  const project = clientProject();
  const command = hookOf(project, shapes);
  const hooks = Object.entries(handlers).map(([event, { ...more }]) => {
    const { matcher, ...keys }: { readonly matcher?: string } = more;
    const entry = { hooks: [{ type: "command", command: `${command} ${event}`, ...keys }] };
    return [event, [matcher === undefined ? entry : { matcher, ...entry }]];
  });
  await useHooks(way, project, Object.fromEntries(hooks));
  return project;
}

/** Puts hooks into Claude Code's settings, and imports them from there if that is the way. */
export async function useHooks(way: Way, project: Project, hooks: object): Promise<void> {
  project.write(".claude/settings.json", JSON.stringify({ hooks }));
  if (way === "imported") await importHooks(project);
}

export function markOf(turn: number): string {
  return `SHAPE-${turn}-`;
}

export function setTurn({ folder }: Project, turn: number): void {
  writeFileSync(join(folder, "turn"), String(turn));
}

/** Writes the hook: it has the shape of the turn. A Stop hook has none when it has kept the turn going already. */
function hookOf(project: Project, shapes: readonly Shape[]): string {
  const { folder } = project;
  for (const [index, { stdout = "", stderr = "", exit = 0 }] of shapes.entries()) {
    const shape = join(folder, "shapes", String(index));
    mkdirSync(shape, { recursive: true });
    writeFileSync(join(shape, "stdout"), stdout);
    writeFileSync(join(shape, "stderr"), stderr);
    writeFileSync(join(shape, "exit"), String(exit));
  }
  setTurn(project, 0);
  const file = join(folder, "hook.sh");
  writeFileSync(
    file,
    `input=$(cat)
cd '${folder}'; printf '%s\\n' "$input" >> "$1.log"
case $input in *'"stop_hook_active":true'*) exit 0 ;; esac
turn=$(printf '%s' "$input" | sed -n 's/.*SHAPE-\\([0-9]*\\)-.*/\\1/p' | tail -n 1)
cd "shapes/\${turn:-$(cat turn)}" || exit 1
cat stdout; cat stderr >&2; exit "$(cat exit)"
`,
  );
  return `sh ${file}`;
}

async function importHooks(project: Project): Promise<void> {
  const run = async (...args: readonly string[]): Promise<void> => {
    const { code, stderr } = await project.run(args);
    if (code !== 0) throw new Error(stderr);
  };
  await run("import", "claude", "--yes");
  project.write(".claude/settings.json", "{}");
  await trustProject(project.cwd, project.environment);
  await run("install", "claude", "--project");
}
