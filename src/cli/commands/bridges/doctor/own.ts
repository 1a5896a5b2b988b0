import { PACKAGE_VERSION } from "../../../../node/package-version.ts";
import { calledProgram, ONLY_NPM } from "../../../bridges/called-program.ts";
import { counted, shortPath } from "../../../command-line/screen/text.ts";
import type { LoadedHooks } from "../../../hooks/load-hooks.ts";
import type { Finding } from "./finding.ts";
import { neverMatching } from "./never-matches.ts";

/** Whether agents will find us. */
export function programFinding(cwd: string, environment: NodeJS.ProcessEnv): Finding {
  const { found, only_npm } = calledProgram(cwd, environment);
  const about = "tenterhook";
  const version = `Version ${PACKAGE_VERSION}`;
  if (found !== undefined) return { level: "ok", about, message: `${version}; agents call ${found}.` };
  if (only_npm !== undefined) return { level: "error", about, message: `${version}. ${ONLY_NPM}` };
  return {
    level: "error",
    about,
    message: `${version} is running, but agents will not find it: there is no tenterhook on the PATH. Install it globally, or add its folder to the PATH.`,
  };
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
