import { type CommandRun, textOption } from "../../command-line/command.ts";
import { mustBePerson } from "../../command-line/person.ts";
import { shortPath } from "../../command-line/screen/text.ts";
import { isChangeable } from "../../configured-hooks/scope-files.ts";
import { setEnabled } from "../../configured-hooks/set-enabled.ts";
import { asItWas } from "../../integrations/as-it-was.ts";

export const run = switchCommand(true);

export const disable = switchCommand(false);

function switchCommand(enabled: boolean): CommandRun {
  return async (invocation) => {
    const { screen, json, cwd, environment, signal, names } = invocation;
    if (!enabled) await mustBePerson(invocation);
    const scope = textOption(invocation, "scope");
    const switched = await setEnabled({
      cwd,
      environment,
      signal,
      name: names[0] ?? "",
      enabled,
      ...(isChangeable(scope) ? { scope } : {}),
    });
    if (json) return screen.json(switched);
    const state = enabled ? "on" : "off";
    const { bold } = screen.paint;
    if (switched.changed.length === 0) screen.print(`${bold(switched.name)} is ${state} already.`);
    for (const file of switched.changed)
      screen.print(`${bold(switched.name)} is ${state}: changed hooks.disabled of ${shortPath(file, cwd)}.`);
    screen.print(...asItWas(invocation, ...(switched.backups ?? [])));
    for (const name of switched.also ?? [])
      screen.print(screen.paint.yellow(`${bold(name)} is ${state} too: it has the same name in its file.`));
    return undefined;
  };
}
