import { grantTrust, reviewTrust, type TrustReview } from "../../config.ts";
import { TenterhookError } from "../../core/base/errors.ts";
import { flagOption, type Invocation } from "../command-line/command.ts";
import { mustBePerson } from "../command-line/person.ts";
import { counted, shortPath } from "../command-line/screen/text.ts";
import { showReview, showTrusted } from "./show-review.ts";

/**
 * Shows the project's files and trusts them, like `tenterhook trust --yes`; a dry run only shows them.
 *
 * @throws ConfigError when the files can't be read.
 */
export async function trustHere(invocation: Invocation) {
  const { screen, json, cwd, environment, signal } = invocation;
  const review = await reviewTrust({ cwd, environment, signal });
  const open = review.items.filter(({ state }) => state !== "trusted");
  const refused = open.filter(({ problem }) => problem !== undefined).length;
  const dry = flagOption(invocation, "dryRun");
  if (!json) showReview(review, invocation);
  if (!dry && open.length > 0) {
    await mayTrust(review, invocation, undefined);
    await grantTrust(review, { environment });
  }
  const granted = dry ? 0 : open.length - refused;
  if (!json && open.length > 0) {
    if (dry) screen.print(`Would be trusted: ${counted(open.length - refused, "file")}.`);
    else showTrusted(open, screen);
    screen.print("");
  }
  const trusted = granted > 0 && refused === 0;
  return { ...review, ...(trusted ? { state: "trusted" } : {}), granted, refused };
}

/**
 * Checks that a person trusts this: who sits at a terminal, or who knows what it is beforehand.
 *
 * @throws TenterhookError `not_a_person`, `confirmation_needed`.
 */
export async function mayTrust(
  { root }: TrustReview,
  invocation: Invocation,
  given: string | undefined,
): Promise<void> {
  const { hasTerminal } = await mustBePerson(invocation);
  if (given === undefined && !hasTerminal)
    throw new TenterhookError(
      "confirmation_needed",
      `Nobody at a terminal has looked at what ${shortPath(root, invocation.cwd)} would run.`,
      {
        hint: WITHOUT_TERMINAL,
      },
    );
}

export function openText(open: TrustReview["items"], root: string): string {
  const gone = open.filter(({ state }) => state === "removed").length;
  const parts = [
    ...(open.length > gone ? [`${counted(open.length - gone, "file")} of ${root} would take effect`] : []),
    ...(gone > 0
      ? [`${counted(gone, "trusted file")} of ${root} ${gone === 1 ? "was" : "were"} taken out`]
      : []),
  ];
  return parts.join(", ");
}

export const WITHOUT_TERMINAL =
  "Run tenterhook trust in a terminal. Without one, pass the digest that tenterhook trust --list prints to --digest.";
