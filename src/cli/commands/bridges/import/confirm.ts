import { TenterhookError } from "../../../../core/base/errors.ts";
import { confirm } from "../../../command-line/ask-line.ts";
import { flagOption, type Invocation } from "../../../command-line/command.ts";

/**
 * Asks before something is written or run; `--yes` answers.
 *
 * @throws TenterhookError `confirmation_needed` when nobody can be asked.
 */
export async function mayGoOn(what: string, invocation: Invocation): Promise<boolean> {
  const { screen, json } = invocation;
  if (flagOption(invocation, "yes")) return true;
  if (!json && screen.interactive) return confirm(what, invocation);
  throw new TenterhookError("confirmation_needed", `${what} Nobody can be asked.`);
}
