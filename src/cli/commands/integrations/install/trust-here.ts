import { grantTrust, reviewTrust, type TrustReview } from "../../../../config.ts";
import { flagOption, type Invocation } from "../../../command-line/command.ts";
import { counted } from "../../../command-line/screen/text.ts";
import { mustBePerson } from "../../../command-line/started-by.ts";
import { reportRefused, showReview } from "../../hooks/trust/show-review.ts";

export interface TrustedHere extends TrustReview {
  readonly granted: number;
  /** Items that can't be trusted. */
  readonly refused: number;
}

/**
 * Shows the project's items and trusts them, like `tenterhook trust --yes`; a dry run only shows them.
 *
 * @throws ConfigError when the files can't be read.
 */
export async function trustHere(invocation: Invocation): Promise<TrustedHere> {
  const { screen, json, cwd, environment, signal } = invocation;
  const review = await reviewTrust({ cwd, environment, signal });
  const open = review.items.filter(({ state }) => state !== "trusted");
  const refused = open.filter(({ problem }) => problem !== undefined);
  const dry = flagOption(invocation, "dryRun");
  if (!json) showReview(review, invocation);
  if (!dry && open.length > 0) {
    await mustBePerson(invocation);
    await grantTrust(review, { environment });
  }
  const granted = dry ? 0 : open.length - refused.length;
  const trusted = granted > 0 && refused.length === 0;
  if (!json && open.length > 0) {
    const what = counted(open.length - refused.length, "item");
    screen.print(dry ? `Would be trusted: ${what}.` : screen.paint.green(`Trusted: ${what}.`), "");
    reportRefused(refused, screen);
  }
  return { ...review, ...(trusted ? { state: "trusted" } : {}), granted, refused: refused.length };
}
