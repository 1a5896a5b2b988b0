import { readFileSync, statSync } from "node:fs";
import type { SettingsText } from "../../adapters/settings-json.ts";
import { errorMessage } from "../../core/base/error-text.ts";
import { TenterhookError } from "../../core/base/errors.ts";

/** Far more than anybody's settings, and little enough to be parsed. */
const MOST_BYTES = 10_000_000;

/**
 * The text of a settings file; `undefined` when there is none, also where a link leads to none. Written again it gives
 * the same bytes.
 *
 * @throws TenterhookError `settings_unreadable` for what is no file, too big or no UTF-8.
 */
export function readSettings(file: string): SettingsText {
  let bytes: Uint8Array;
  try {
    const status = statSync(file, { throwIfNoEntry: false });
    if (status === undefined) return undefined;
    if (!status.isFile()) throw new Error("it is no plain file");
    if (status.size > MOST_BYTES)
      throw new Error(`it has ${status.size} bytes, and settings have at most ${MOST_BYTES}`);
    bytes = readFileSync(file);
  } catch (cause) {
    throw new TenterhookError("settings_unreadable", `${file} can't be read: ${errorMessage(cause)}.`, {
      cause,
    });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new TenterhookError("settings_unreadable", `${file} is not UTF-8 text.`, {
      hint: "Save the file as UTF-8; it was left as it is.",
      cause,
    });
  }
}
