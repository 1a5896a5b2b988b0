import { resolve } from "node:path";
import { revokeInClones, trustInClones, withoutUser } from "../../../config/trust/repository.ts";
import { partOf } from "../../../config/trust/review.ts";
import { grantTrust, reviewTrust, revokeTrust, type TrustReview } from "../../../config.ts";
import { TenterhookError } from "../../../core/base/errors.ts";
import { didYouMean } from "../../../core/base/suggest.ts";
import { confirm } from "../../command-line/ask-line.ts";
import { type CommandRun, flagOption, type Invocation, textOption } from "../../command-line/command.ts";
import { bold, counted, dim, harmless } from "../../command-line/screen/text.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { heading, showReview, showTrusted } from "../../configured-hooks/show-review.ts";
import { mayTrust, openText, WITHOUT_TERMINAL } from "../../configured-hooks/trust-here.ts";

export const run: CommandRun = async (invocation) => {
  const { screen, json, cwd, environment, signal, names } = invocation;
  const places = { cwd, environment, signal };
  const repo = textOption(invocation, "repo");
  if (repo !== undefined && names.length > 0)
    throw usageError("In clones, all of a project is trusted or nothing.", "tenterhook trust --repo URL");
  if (flagOption(invocation, "revoke")) {
    const only = names.length === 0 ? {} : { only: chosenIn(await reviewTrust(places), names, invocation) };
    const revoked =
      repo === undefined
        ? await revokeTrust({ ...places, ...only })
        : await revokeInClones(repo, environment);
    const text =
      revoked === 0
        ? "Nothing was trusted here."
        : `No longer trusted: ${counted(revoked, repo === undefined ? "file" : "version")}.`;
    return { json: { revoked }, blocks: [text] };
  }
  const whole = await reviewTrust(places);
  const only = names.length === 0 ? undefined : chosenIn(whole, names, invocation);
  const review = partOf(whole, only);
  if (flagOption(invocation, "list")) {
    const { root, state, items, problem } = review;
    if (problem !== undefined && !json) screen.tell(harmless(problem));
    return {
      json: review,
      blocks: [
        `${bold(root)}  ${state === "nothing" ? "nothing needs trust" : state}`,
        items.map(heading),
        items.length > 0 && dim(`digest ${review.digest}`),
      ],
    };
  }
  const open = review.items.filter(({ state }) => state !== "trusted");
  const refused = open.filter(({ problem }) => problem !== undefined);
  if (!json) showReview(review, invocation);
  const digest = textOption(invocation, "digest");
  if (digest !== undefined) mustBeWhat(review, digest);
  if (open.length === 0 && repo === undefined) {
    if (json) screen.json({ ...review, granted: 0 });
    return;
  }
  const yes = flagOption(invocation, "yes") || digest !== undefined;
  if (!yes && !json && !screen.interactive)
    throw new TenterhookError(
      "confirmation_needed",
      `${openText(open, review.root)}, and nobody can be asked.`,
      { hint: WITHOUT_TERMINAL },
    );
  const agreed = yes || (!json && (await confirm("Trust all of this?", invocation)));
  if (agreed) {
    await mayTrust(review, invocation, digest);
    await grantTrust(review, { environment });
    if (repo !== undefined) await trustInClones(repo, review, environment);
  }
  const granted = agreed ? open.length - refused.length : 0;
  const left = whole.items.filter(({ state: now }) => now !== "trusted").length - granted;
  const state = left === 0 ? "trusted" : whole.state;
  if (json) screen.json({ ...review, state, granted });
  else if (agreed) {
    showTrusted(open, screen);
    if (repo !== undefined)
      screen.print(`Trusted in clones of ${harmless(withoutUser(repo))} with the same files.`);
  } else screen.print("Nothing was trusted.");
  return agreed && refused.length === 0 ? undefined : 1;
};

/** @throws TenterhookError `confirmation_needed` when this is not what somebody has looked at. */
function mustBeWhat({ digest, root }: TrustReview, given: string): void {
  if (given.toLowerCase() === digest) return;
  throw new TenterhookError("confirmation_needed", `The hooks of ${root} have another digest.`, {
    hint: `It is ${digest} now: look at it with tenterhook trust --list.`,
  });
}

/** The ids of the files of these names, or with hooks of these names, and of the programs that they run. */
function chosenIn({ items }: TrustReview, names: readonly string[], { cwd }: Invocation): readonly string[] {
  return names.flatMap((name) => {
    const found = items.filter(
      (item) => item.name === name || item.file === resolve(cwd, name) || guardsOf(item).includes(name),
    );
    if (found.length > 0) return found.flatMap(({ id, needs }) => [id, ...needs]);
    const known = items.flatMap((item) => [item.name, ...guardsOf(item)]);
    const what = `Nothing here that needs trust is called ${JSON.stringify(name)}.`;
    throw usageError(`${what}${didYouMean(name, known)}`, "tenterhook trust --list shows the names.");
  });
}

/** What a file guards with, by the names that people know. */
function guardsOf({ guards }: TrustReview["items"][number]): readonly string[] {
  return guards.map((one) => one.replace(/^(?:hook|pack|section) /, ""));
}
