import { stat } from "node:fs/promises";
import type { ToolContext } from "../../core/contracts/tool.ts";
import { missingFile } from "../files/missing-file.ts";
import { type Place, placeToRead } from "../files/workspace.ts";
import { failed } from "../input.ts";

/** Where a search starts: a folder, or one file. Throws when there is neither. */
export async function searchRoot(
  path: string,
  context: ToolContext,
): Promise<{ readonly place: Place; readonly isFolder: boolean }> {
  const place = placeToRead(path, context);
  try {
    return { place, isFolder: (await stat(place.real)).isDirectory() };
  } catch (error) {
    throw failed(await missingFile(place), error);
  }
}
