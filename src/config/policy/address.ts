/** Where a policy is fetched from, as an item of `use` says it. */
export type PolicyAddress =
  | { readonly kind: "git"; readonly text: string; readonly url: string; readonly revision: string }
  | { readonly kind: "npm"; readonly text: string; readonly name: string; readonly version: string };

const GIT = /^git\+((?:https|ssh|file):\/\/[^\s#]+)#([^\s#:^~?*[\\]+)$/;
const NPM = /^npm:((?:@[\w.-]+\/)?[\w-][\w.-]*)@([^\s@/]+)$/;

/** True for an item of `use` that is meant as an address, also one with a mistake in it. */
export function isAddress(name: string): boolean {
  return name.startsWith("git+") || /^npm:.+@/.test(name);
}

/**
 * Reads `git+https://host/team/policy.git#v3` (a tag, branch or commit) or `npm:@acme/policy@2` (a version or a range).
 * `undefined` for anything else. A package without a version is one that npm has installed here, not an address.
 */
export function policyAddress(text: string): PolicyAddress | undefined {
  const [, url = "", revision = ""] = GIT.exec(text) ?? [];
  // What begins with a dash would be an option of git.
  if (url !== "" && !revision.startsWith("-")) return { kind: "git", text, url, revision };
  const [, name = "", version = ""] = NPM.exec(text) ?? [];
  return name === "" ? undefined : { kind: "npm", text, name, version };
}
