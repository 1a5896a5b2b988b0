/**
 * Where the project is published; `undefined` as long as it is nowhere. The manifest has what follows from it, and pages
 * that would name it say "not published".
 *
 * @type {string | undefined}
 */
export const ADDRESS = undefined;

/**
 * The fields of the manifest that name an address.
 *
 * @param {string | undefined} address
 */
export function addressFields(address) {
  if (address === undefined) return {};
  return {
    homepage: `${address}#readme`,
    bugs: { url: `${address}/issues` },
    repository: { type: "git", url: `git+${address}.git` },
  };
}
