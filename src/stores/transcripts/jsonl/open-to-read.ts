import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { systemCode } from "../../../node/system-code.ts";

/** Opens a file to read it; `undefined` when it is not there. Neither a link nor a pipe can stand in for it. */
export async function openToRead(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
