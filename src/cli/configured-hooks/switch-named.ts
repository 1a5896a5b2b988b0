import { fileOption, type Invocation } from "../command-line/command.ts";
import { shortPath } from "../command-line/screen/text.ts";
import { asItWas } from "../integrations/as-it-was.ts";
import { setEnabled } from "./set-enabled.ts";

/** Switches the hook, pack or rule that a command names on or off, and says what changed. */
export async function switchNamed(enabled: boolean, invocation: Invocation): Promise<void> {
  const { screen, json, cwd, environment, signal, names } = invocation;
  const [name = ""] = names;
  const scope = fileOption(invocation);
  const switched = await setEnabled({
    cwd,
    environment,
    signal,
    name,
    enabled,
    ...(scope === undefined ? {} : { scope }),
  });
  if (json) return screen.json(switched);
  const state = enabled ? "on" : "off";
  const { bold } = screen.paint;
  if (switched.changed.length === 0) screen.print(`${bold(switched.name)} is ${state} already.`);
  for (const file of switched.changed)
    screen.print(`${bold(switched.name)} is ${state}: changed hooks.disabled of ${shortPath(file, cwd)}.`);
  screen.print(...asItWas(invocation, ...(switched.backups ?? [])));
  for (const other of switched.also ?? [])
    screen.print(screen.paint.yellow(`${bold(other)} is ${state} too: it has the same name in its file.`));
}
