import type { Config, ConfigTrust } from "../../config.ts";
import { NOT_TRUSTED } from "../../core/base/untrusted.ts";
import { counted, shortPath } from "../command-line/screen/text.ts";

/** Says that hooks which were trusted are gone, what that does and the way out; `undefined` when none is. */
export function goneText({ root, gone }: ConfigTrust, cwd: string): string | undefined {
  if (gone === undefined) return undefined;
  const isOne = gone.length === 1;
  const what = `${counted(gone.length, "trusted item")} of ${shortPath(root, cwd)}`;
  return `${what} ${isOne ? "is" : "are"} gone, so every gate refuses: bring ${isOne ? "it" : "them"} back, or tenterhook trust shows what is missing and accepts it.`;
}

/** Which files hold something that is not trusted, a main clause; `undefined` when nobody has to look at one. */
export function untrustedText(
  { trust: { untrusted }, definitions }: Pick<Config, "trust" | "definitions">,
  cwd: string,
): string | undefined {
  // To trust a hook whose script is gone brings nothing back.
  const gone = definitions.flatMap(({ name, gone_files }) => (gone_files === undefined ? [] : [name]));
  const open = untrusted.filter(({ name }) => !gone.includes(name));
  const files = [...new Set(open.map(({ file }) => shortPath(file, cwd)))];
  if (files.length === 0) return undefined;
  return `${files.join(", ")} ${files.length === 1 ? "is" : "are"} ${NOT_TRUSTED}`;
}
