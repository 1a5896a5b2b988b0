import { editList, namesIn, useInShadow } from "../../../config/edit/edits.ts";
import { isAddress, type PolicyAddress, policyAddress } from "../../../config/policy/address.ts";
import { readSettings } from "../../../install/settings-files.ts";
import { type CommandRun, fileOption, flagOption } from "../../command-line/command.ts";
import { shortPath } from "../../command-line/screen/text.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { mustStayInside, scopeFile } from "../../configured-hooks/scope-files.ts";
import { isTrustedFile, keepTrusted, writeChecked } from "../../configured-hooks/write-checked.ts";
import { asItWas } from "../../integrations/as-it-was.ts";
import { projectPlaces } from "../../integrations/chosen-settings.ts";
import { onText, readPacks } from "./init/packs.ts";
import { takePolicy } from "./update/take-policy.ts";
import { newPolicies } from "./update/used-policies.ts";

export const run: CommandRun = async (invocation) => {
  const { cwd, environment, signal, names } = invocation;
  const { root } = await projectPlaces(invocation);
  const scope = fileOption(invocation) ?? "project";
  const file = scopeFile(scope, root, environment);
  if (scope !== "user") mustStayInside(root, file);
  const before = readSettings(file) ?? "";
  const policies = [...new Set(names.filter(isAddress))].map(readAddress);
  const packs = [...readPacks(names.filter((name) => !isAddress(name))), ...policies.map(({ text }) => text)];
  const added = packs.filter((name) => !namesIn(file, before, "use").includes(name));
  const isNew = ({ text }: PolicyAddress) => added.includes(text);
  const needsTrust = scope !== "user";
  const found = policies.filter(isNew).map((address) => ({ configuration: file, address, needsTrust }));
  for (const policy of await newPolicies(found, invocation))
    if ((await takePolicy(policy, invocation)).result === "left") return 1;
  const isShadow = flagOption(invocation, "shadow");
  const after = added.reduce(
    (text, name) => (isShadow ? useInShadow(file, text, name) : editList(file, text, "use", name, true)),
    before,
  );
  const write = () => writeChecked({ file, before, after }, invocation);
  const places = { cwd, environment, signal };
  const backup = await (needsTrust ? keepTrusted(file, after, places, write) : write());
  const isTrusted = !needsTrust || (found.length === 0 && (await isTrustedFile(file, places)));
  return {
    json: { file, packs, added, backup },
    blocks: [
      added.length === 0
        ? `${usedText(packs)} already: ${shortPath(file, cwd)}.`
        : `${usedText(added)}${isShadow ? " in shadow mode" : ""}: ${shortPath(file, cwd)}.`,
      asItWas(invocation, backup),
      !isTrusted && "  tenterhook trust   lets this take effect here",
    ],
  };
};

function usedText(names: readonly string[]): string {
  if (!names.some(isAddress)) return onText(names);
  return `${names.join(", ")} ${names.length === 1 ? "is" : "are"} used`;
}

/** @throws TenterhookError `usage_error` for an address with a mistake in it. */
function readAddress(text: string): PolicyAddress {
  const address = policyAddress(text);
  if (address !== undefined) return address;
  throw usageError(
    `${JSON.stringify(text)} is not the address of a policy.`,
    "Addresses: git+https://HOST/PATH.git#REVISION, npm:NAME@VERSION.",
  );
}
