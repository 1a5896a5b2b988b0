import { viewOpener } from "./browser.ts";
import { openScene } from "./scene.ts";

export const FORCE = 'command runs "git push --force" -> deny("No.")';
export const PUBLISH = 'command runs "npm publish" -> ask("Sure?")';

/** Opens the activity of the last hours, in which two agents worked in two projects. */
export function activityOpener() {
  const openView = viewOpener();
  return async () => {
    const scene = await openScene();
    const other = `${scene.folder}/other`;
    const push = { command: "git push --force", action: "deny", hook: "git", rule: FORCE, reason: "No." };
    const publish = { command: "npm publish", action: "ask", hook: "npm", rule: PUBLISH, reason: "Sure?" };
    scene.record([
      { minutes: 2, agent: "a", ...push },
      { minutes: 3, agent: "a", ...push, host: "codex", cwd: other },
      { minutes: 4, agent: "a", ...publish },
      { minutes: 5, agent: "b", command: "ls", hook: "git" },
      { minutes: 6, agent: "b", command: "ls", hook: "git", host: "codex", cwd: other },
      { minutes: 7, agent: "b", command: "slow", hook: "lint", ms: 900, failure: "It took too long." },
      { minutes: 60 * 30, agent: "b", ...push },
    ]);
    return openView(scene, "/activity");
  };
}
