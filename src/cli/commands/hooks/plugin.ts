import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorMessage } from "../../../core/base/error-text.ts";
import { TenterhookError } from "../../../core/base/errors.ts";
import { writeAtomically } from "../../../node/files/atomic-write.ts";
import { makeFolders } from "../../../node/files/folders.ts";
import { PACKAGE_VERSION } from "../../../node/package-version.ts";
import type { Invocation } from "../../command-line/command.ts";
import type { Report } from "../../command-line/screen/report.ts";
import { shortPath } from "../../command-line/screen/text.ts";
import { pluginFiles } from "./plugin/template.ts";

const USAGE = "tenterhook init --plugin NAME";

/** As npm names packages. */
const PACKAGE_NAME = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/;

/** `tenterhook init --plugin NAME`, in TypeScript with `--ts`. */
export async function writePlugin(name: string, isTypeScript: boolean, { cwd }: Invocation): Promise<Report> {
  if (!PACKAGE_NAME.test(name))
    throw new TenterhookError(
      "usage_error",
      `${JSON.stringify(name)} is not a name for a package: small letters, digits and dashes, as in tenterhook-acme or @acme/hooks.`,
      { hint: USAGE },
    );
  const folder = join(cwd, name.split("/").at(-1) ?? name);
  if (existsSync(folder))
    throw new TenterhookError("file_exists", `${shortPath(folder, cwd)} exists already.`, {
      hint: "Choose another name, or another folder.",
    });
  const files = pluginFiles(name, PACKAGE_VERSION, isTypeScript);
  try {
    for (const [path, text] of Object.entries(files)) {
      makeFolders(dirname(join(folder, path)), 0o777);
      await writeAtomically(join(folder, path), text, { mode: 0o644 });
    }
  } catch (cause) {
    throw new TenterhookError("write_failed", `The plug-in can't be written: ${errorMessage(cause)}.`, {
      cause,
    });
  }
  const written = Object.keys(files).map((path) => join(folder, path));
  return {
    json: { name, folder, written },
    blocks: [
      written.map((path) => `wrote  ${shortPath(path, cwd)}`),
      "",
      `Next: cd ${shortPath(folder, cwd)} && npm install && npm test`,
    ],
  };
}
