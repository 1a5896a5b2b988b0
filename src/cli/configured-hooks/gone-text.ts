import type { ConfigTrust } from "../../config.ts";
import { counted, shortPath } from "../command-line/screen/text.ts";

/** Says that hooks which were trusted are gone, what that does and the way out; `undefined` when none is. */
export function goneText({ root, gone }: ConfigTrust, cwd: string): string | undefined {
  if (gone === undefined) return undefined;
  const isOne = gone.length === 1;
  const what = `${counted(gone.length, "trusted item")} of ${shortPath(root, cwd)}`;
  return `${what} ${isOne ? "is" : "are"} gone, so every gate refuses: bring ${isOne ? "it" : "them"} back, or tenterhook trust shows what is missing and accepts it.`;
}
