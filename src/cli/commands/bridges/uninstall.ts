import { bridgeOf } from "../../../adapters/agents.ts";
import { forgetInstallation } from "../../../config/find/installations.ts";
import { trustAfterUninstall } from "../../bridges/agent-trust.ts";
import { checkSettings } from "../../bridges/settings-check.ts";
import { chosenSettings, edited, projectRoot, writeSettings } from "../../bridges/settings-files.ts";
import { type CommandRun, flagOption } from "../../command-line/command.ts";
import { unifiedDiff } from "../../command-line/screen/diff.ts";
import { shortPath } from "../../command-line/screen/text.ts";

/** `tenterhook uninstall`. */
export const run: CommandRun = async (invocation) => {
  const { screen, json, names, cwd, environment } = invocation;
  const dry = flagOption(invocation, "dryRun");
  const root = await projectRoot(invocation);
  const done = [];
  for (const name of names) {
    const bridge = await bridgeOf(name);
    const settings = chosenSettings(bridge, root, invocation);
    const after = edited(settings, bridge.settings.uninstall);
    const changed = after !== settings.text;
    const trust = trustAfterUninstall(bridge, settings, { root, environment });
    const backup = changed && !dry ? await writeSettings(settings, after, environment) : undefined;
    if (!dry && trust !== undefined && trust.after !== trust.settings.text)
      await writeSettings(trust.settings, trust.after, environment);
    if (!dry) forgetInstallation(settings.file, environment);
    const { file, text = "" } = settings;
    const diff = dry ? { diff: unifiedDiff(text, after ?? "", [file, file]) } : {};
    const still_in = checkSettings(bridge, undefined, root, environment)
      .filter((other) => other.events.length > 0 && other.file !== file)
      .map((other) => ({ scope: other.scope, file: other.file }));
    done.push({ agent: name, file, changed, still_in, ...(backup === undefined ? {} : { backup }), ...diff });
  }
  if (json) screen.json({ uninstalled: done });
  else {
    for (const { agent, file, changed, still_in, diff } of done) {
      const path = shortPath(file, cwd);
      if (diff !== undefined) screen.print(...(diff.length === 0 ? [`${path} would not change.`] : diff));
      else
        screen.print(
          changed
            ? `${agent}: Tenterhook was removed from ${path}.`
            : `${agent}: Tenterhook is not installed in ${path}.`,
        );
      for (const other of still_in)
        screen.print(
          screen.paint.yellow(
            `  It is still installed in ${shortPath(other.file, cwd)}: tenterhook uninstall ${agent} --scope ${other.scope}.`,
          ),
        );
    }
  }
  return undefined;
};
