import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Project } from "./project.ts";

export const HOOKS = JSON.stringify({
  hooks: {
    PreToolUse: [
      { matcher: "Bash", hooks: [{ type: "command", command: `"\${CLAUDE_PLUGIN_ROOT}"/guard.sh` }] },
    ],
  },
});

export function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o755 });
}

/** A plug-in that Claude Code has installed; returns what updates it. */
export function withPlugin(project: Project, id = "guard@market") {
  const [name = "", market = ""] = id.split("@");
  const plugins = join(String(project.environment.HOME), ".claude/plugins");
  const update = (version: string, says: string): string => {
    const folder = join(plugins, "cache", market, name, version);
    rmSync(dirname(folder), { recursive: true, force: true });
    write(join(folder, "hooks/hooks.json"), HOOKS);
    write(
      join(folder, "guard.sh"),
      `#!/bin/sh\ntouch "$CLAUDE_PLUGIN_DATA/asked" && echo '${says}' >&2; exit 2\n`,
    );
    const installed = { version: 2, plugins: { [id]: [{ scope: "user", installPath: folder, version }] } };
    write(join(plugins, "installed_plugins.json"), JSON.stringify(installed));
    return folder;
  };
  write(join(plugins, "../settings.json"), JSON.stringify({ enabledPlugins: { [id]: true } }));
  return { update, plugins };
}

export const said = ({ stdout }: { readonly stdout: string }) => stdout.replaceAll(/\s+/g, " ");
