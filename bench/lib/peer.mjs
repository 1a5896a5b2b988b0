import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * A package of `bench/peers`, which is not installed by default.
 *
 * @param {string} name
 * @returns {Promise<any>}
 */
export async function peer(name) {
  const require = createRequire(new URL("../peers/package.json", import.meta.url));
  try {
    return await import(pathToFileURL(require.resolve(name)).href);
  } catch (error) {
    throw new Error(`The peer ${name} is not installed: run npm ci in bench/peers.`, { cause: error });
  }
}
