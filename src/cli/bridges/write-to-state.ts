import { join } from "node:path";
import { errorMessage } from "../../core/base/error-text.ts";
import { TenterhookError } from "../../core/base/errors.ts";
import { writeAtomically } from "../../node/files/atomic-write.ts";
import { makePrivateFolder } from "../../node/files/make-folders.ts";

/**
 * Writes a file into a folder of the state folder, for this user alone.
 *
 * @returns its path.
 * @throws TenterhookError `state_unwritable`.
 */
export async function writeToState(folder: string, name: string, text: string): Promise<string> {
  const file = join(folder, name);
  try {
    makePrivateFolder(folder);
    await writeAtomically(file, text);
    return file;
  } catch (cause) {
    throw new TenterhookError("state_unwritable", `${file} can't be written: ${errorMessage(cause)}.`, {
      cause,
    });
  }
}
