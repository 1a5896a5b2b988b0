import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { packedProject } from "../repository/support/packed-project.ts";
import type { AtEnd } from "./temporary-folder.ts";

/** Nothing of ours is on it. */
export const PLAIN_PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;

/** Unpacks the packed package where npx unpacks what it runs, and deletes it some day. Returns the program. */
export async function asNpxUnpacks(home: string, atEnd: AtEnd): Promise<string> {
  const packed = await packedProject();
  atEnd(packed.remove);
  const packages = join(home, ".npm/_npx/4f1c/node_modules");
  mkdirSync(dirname(packages), { recursive: true });
  renameSync(join(packed.folder, "node_modules"), packages);
  mkdirSync(join(packages, ".bin"), { recursive: true });
  const program = join(packages, ".bin/tenterhook");
  symlinkSync("../tenterhook/dist/tenterhook.cjs", program);
  return program;
}
