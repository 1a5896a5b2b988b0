import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import lock from "../../../package-lock.json" with { type: "json" };
import { ROOT } from "../../repository/support/files.ts";

/**
 * Copies the built program and the packages it needs into a folder that every user can read. The clone may lie where
 * only its owner can.
 *
 * @returns the program's file.
 */
export function readableProgram(folder: string): string {
  const packages = Object.entries(lock.packages).flatMap(([path, entry]) =>
    path.lastIndexOf("node_modules/") !== 0 || "dev" in entry || "optional" in entry ? [] : [path],
  );
  for (const path of ["package.json", "dist", ...packages]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    execFileSync("cp", ["-R", join(ROOT, path), join(folder, path)]);
  }
  execFileSync("chmod", ["-R", "a+rX", folder]);
  return join(folder, "dist/tenterhook.cjs");
}
