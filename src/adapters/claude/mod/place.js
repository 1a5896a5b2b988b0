/**
 * @import { OwnPlace } from "../../integration.ts"
 */

/**
 * Installing writes this file anew.
 *
 * @type {OwnPlace}
 */
export const PLACE = { program: ["tenterhook"] };
