import type { CommandRun } from "./command.ts";
import { unknownName } from "./usage-error.ts";

/**
 * A command whose first word names an action, which gets the words after it.
 *
 * @param usage what to type, for an unknown action.
 * @param standard the action when no word is given.
 */
export function actionsOf(
  actions: ReadonlyMap<string, CommandRun>,
  usage: string,
  standard = "",
): CommandRun {
  return async (invocation) => {
    const [name = standard, ...names] = invocation.names;
    const action = actions.get(name);
    if (action !== undefined) return action({ ...invocation, names });
    throw unknownName("action", name, actions.keys(), usage);
  };
}
