import type { Integration } from "../../../adapters/integration.ts";
import { integrationOf } from "../../../adapters/integrations.ts";
import { DRIVERS } from "../../../know/prove/drivers.ts";
import type { Invocation } from "../../command-line/command.ts";
import { continueWhereItStays } from "../../command-line/continue-where-it-stays.ts";
import { harmless, wrapped } from "../../command-line/screen/text.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { guardOf } from "../../configured-hooks/guard.ts";
import { projectPlaces } from "../../integrations/chosen-settings.ts";
import { writeStarter } from "../hooks/init.ts";
import { installInto } from "../integrations/install.ts";
import { proveInstalled } from "../know/prove.ts";
import { bringAlong } from "./bring-along.ts";
import type { Facts } from "./facts.ts";
import { setUpLines } from "./set-up-lines.ts";

/** What a person is asked before it begins. */
export interface SetUpWish {
  /** For every project of this user, or for this one alone. */
  readonly isUser: boolean;
  /** Whether the hooks in the agents' own settings are to run through us. */
  readonly imports: boolean;
}

/** The usual packs refuse it, and there is nothing to delete. */
const REFUSED_LINE = "rm -rf /usr/lib/canary";

/**
 * Writes a configuration, has all agents ask it, and shows in the real programs that they obey.
 *
 * @throws TenterhookError `usage_error` where there are hooks already.
 */
export async function setUp(
  { isUser, imports }: SetUpWish,
  { agents, guard }: Facts,
  given: Invocation,
): Promise<number | undefined> {
  if (guard.hooks.length > 0)
    throw usageError(
      "There are hooks here already.",
      "tenterhook list shows them; tenterhook install connects agents.",
    );
  const args = ["--yes", ...(isUser ? [] : ["--project"]), ...(imports ? ["--import"] : [])];
  const code = await continueWhereItStays(args, {}, given);
  if (code !== undefined) return code;
  const invocation = { ...given, names: [], options: { yes: true, ...(isUser ? { user: true } : {}) } };
  const { packs } = await writeStarter(invocation);
  const found = await Promise.all(agents.map(({ name }) => integrationOf(name)));
  const brought = imports ? await bringAlong(found, isUser, invocation) : { hooks: 0, problems: [] };
  // One that can't run the hooks keeps no other from it.
  const { problems } = await installInto(found, {
    ...invocation,
    // An agent with a trust of its own trusts what is written here, and nothing else.
    options: { ...invocation.options, all: true, trust: true },
  });
  const proven = await proveAll(found, invocation);
  const { judgement } = await guardOf(invocation);
  const places = await projectPlaces(invocation);
  const all = [...brought.problems, ...problems];
  const { print, paint, width } = invocation.screen;
  print(
    ...setUpLines(
      { packs, brought: brought.hooks, found, judgement, places, isUser, problems: all },
      invocation,
    ),
    "",
  );
  const shown = proven.find(({ refused }) => refused !== undefined);
  if (shown !== undefined)
    print(
      wrapped(
        `${shown.integration.table.title} tried ${paint.bold(REFUSED_LINE)} in a copy of this project, and was refused:`,
        width,
        "  ",
      ),
      wrapped(harmless(shown.refused ?? ""), width, "    "),
      "",
    );
  print(
    "  tenterhook                          what guards this project, who waits",
    "  tenterhook uninstall --everything   take all of it back",
  );
  return all.length === 0 && proven.every(({ obeys }) => obeys) ? undefined : 1;
}

/** Starts every agent that can be started, with a scripted model of ours. */
async function proveAll(found: readonly Integration[], invocation: Invocation) {
  const proven = [];
  for (const integration of found)
    if (Object.hasOwn(DRIVERS, integration.adapter.name))
      proven.push(await proveInstalled(integration, REFUSED_LINE, invocation));
  return proven;
}
