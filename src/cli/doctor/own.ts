import { PACKAGE_VERSION } from "../../node/package-version.ts";
import { findProgram } from "../../node/process/find-program.ts";
import type { LoadedHooks } from "../hooks/load-hooks.ts";
import { counted, shortPath } from "../screen/text.ts";
import type { Finding } from "./finding.ts";
import { neverMatching } from "./never-matches.ts";

/** Whether agents will find us. */
export function programFinding(cwd: string, environment: NodeJS.ProcessEnv): Finding {
  const found = findProgram("tenterhook", cwd, environment);
  return found === undefined
    ? {
        level: "error",
        about: "tenterhook",
        message: `Version ${PACKAGE_VERSION} is running, but agents will not find it: there is no tenterhook on the PATH. Install it globally, or add its folder to the PATH.`,
      }
    : { level: "ok", about: "tenterhook", message: `Version ${PACKAGE_VERSION}; agents call ${found}.` };
}

/** What counts of hooks whatever the agent: trust, what they start, and what they will never be asked. */
export function hookFindings(
  { config, failing }: Pick<LoadedHooks, "config" | "failing">,
  cwd: string,
): readonly Finding[] {
  const { trust, files } = config;
  const untrusted = new Set(
    config.definitions.flatMap(({ name, untrusted: why }) => (why === undefined ? [] : [name])),
  );
  return [
    {
      level: "ok",
      about: "configuration",
      message: `${counted(config.definitions.length, "hook")} of ${counted(files.length, "file")}.`,
    },
    trust.state === "untrusted"
      ? {
          level: "warning",
          about: "trust",
          message: `${counted(trust.untrusted.length, "item")} of ${shortPath(trust.root, cwd)} not trusted, so that their hooks refuse: tenterhook trust shows what would run.`,
        }
      : {
          level: "ok",
          about: "trust",
          message: trust.state === "trusted" ? "Trusted." : "Nothing needs trust.",
        },
    ...failing
      .filter(({ name }) => !untrusted.has(name))
      .map(({ name, reason }): Finding => ({ level: "error", about: `hook ${name}`, message: reason })),
    ...neverMatching(config.definitions),
  ];
}
