import { editList, namesIn } from "../../../config/edit/edit-list.ts";
import { useInShadow } from "../../../config/edit/shadow.ts";
import { grantTrust, reviewTrust } from "../../../config.ts";
import { readSettings } from "../../../hook/installed/settings-files.ts";
import { type CommandRun, type Invocation, textOption } from "../../command-line/command.ts";
import { shortPath } from "../../command-line/screen/text.ts";
import { isChangeable, mustStayInside, scopeFile } from "../../configured-hooks/scope-files.ts";
import { writeChecked } from "../../configured-hooks/write-checked.ts";
import { projectPlaces } from "../../integrations/chosen-settings.ts";
import { asItWas } from "../../integrations/replace-file.ts";
import { onText, readPacks } from "./init/packs.ts";

export const run: CommandRun = async (invocation) => {
  const { screen, json, cwd, environment, names } = invocation;
  const { root } = await projectPlaces(invocation);
  const wanted = textOption(invocation, "scope");
  const scope = isChangeable(wanted) ? wanted : "project";
  const file = scopeFile(scope, root, environment);
  if (scope !== "user") mustStayInside(root, file);
  const before = readSettings(file) ?? "";
  const packs = readPacks(names);
  const added = packs.filter((name) => !namesIn(file, before, "use").includes(name));
  const isShadow = textOption(invocation, "mode") === "shadow";
  const after = added.reduce(
    (text, name) => (isShadow ? useInShadow(file, text, name) : editList(file, text, "use", name, true)),
    before,
  );
  const backup = await writeChecked({ file, before, after }, invocation);
  if (scope !== "user") await trustAdded(file, added, invocation);
  if (json) return screen.json({ file, packs, added, ...(backup === undefined ? {} : { backup }) });
  screen.print(
    added.length === 0
      ? `${onText(packs)} already: ${shortPath(file, cwd)}.`
      : `${onText(added)}${isShadow ? " in shadow mode" : ""}: ${shortPath(file, cwd)}.`,
    ...asItWas(invocation, backup),
  );
  return undefined;
};

/** Trusts the packs that this user has just added, and nothing else of the file. */
async function trustAdded(
  file: string,
  added: readonly string[],
  { cwd, environment, signal }: Invocation,
): Promise<void> {
  const review = await reviewTrust({ cwd, environment, signal });
  const only = review.items
    .filter((item) => item.kind === "use" && item.file === file && added.includes(item.name))
    .map(({ id }) => id);
  if (only.length > 0) await grantTrust(review, { environment, only });
}
