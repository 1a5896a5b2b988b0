/** Variables that load code into Node, perl and the other programs that one of them may start. Certificates and proxies have others. */
const LOADS =
  /^(?:NODE_(?:OPTIONS|PATH|REPL_EXTERNAL_MODULE|COMPILE_CACHE)|OPENSSL_(?:CONF\w*|MODULES|ENGINES)|LD_\w+|DYLD_\w+|GCONV_PATH|PERL5\w*|PERLLIB|BASH_ENV|BASH_FUNC_.+|ZDOTDIR|PYTHON(?:PATH|HOME|STARTUP|USERBASE|INSPECT)|RUBY(?:OPT|LIB)|(?:_JAVA|JDK_JAVA|JAVA_TOOL|BUN)_OPTIONS|npm_config_(?:node_options|script_shell)|NPM_CONFIG_(?:NODE_OPTIONS|SCRIPT_SHELL))$/;

/** Those by which Node itself gets code, for where nobody can look which variables there are. */
export const NODE_VARIABLES = [
  ...["NODE_OPTIONS", "NODE_PATH", "NODE_REPL_EXTERNAL_MODULE", "NODE_COMPILE_CACHE"],
  ...["OPENSSL_CONF", "OPENSSL_CONF_INCLUDE", "OPENSSL_MODULES", "OPENSSL_ENGINES", "GCONV_PATH"],
  ...["LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH"],
  ...["DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH"],
] as const;

/** Options of Node that load nothing, open no port and write no file. */
const HARMLESS =
  /^(?:\$\{?NODE_OPTIONS\}?|--(?:max-(?:old|semi)-space-size|max-http-header-size|stack-trace-limit|dns-result-order|unhandled-rejections|tls-(?:cipher-list|min-v[\d.]+|max-v[\d.]+)|use-(?:openssl|bundled|system)-ca|use-env-proxy|(?:no-)?(?:warnings|deprecation|network-family-autoselection)|(?:trace|throw)-(?:warnings|deprecation|uncaught)|enable-source-maps|experimental-[\w-]*(?:vm-modules|fetch|webcrypto))(?:=.*)?)$/;

const NODE_OPTIONS = /^(?:npm_config_)?node_options$/i;

/** True when a program that starts with this variable loads code of somebody's choice. A value that is not known may do so. */
export function loadsCode(name: string, value: string | undefined): boolean {
  if (!LOADS.test(name) || value === "") return false;
  if (!NODE_OPTIONS.test(name) || value === undefined) return true;
  // Alone, the variable's own name stands for a value that nobody knows.
  return !value.includes("--") || harmlessOptions(value) !== optionsIn(value).join(" ");
}

/** The environment without what would load code. */
export function withoutCode<Value extends string | undefined>(
  environment: Readonly<Record<string, Value>>,
): Record<string, Value | string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]): readonly (readonly [string, Value | string])[] => {
      if (!loadsCode(name, value)) return [[name, value]];
      const kept = NODE_OPTIONS.test(name) ? harmlessOptions(value ?? "") : "";
      return kept === "" ? [] : [[name, kept]];
    }),
  );
}

function harmlessOptions(value: string): string {
  return optionsIn(value)
    .filter((option) => HARMLESS.test(option))
    .join(" ");
}

function optionsIn(value: string): readonly string[] {
  return value.split(/\s+/).filter((option) => option !== "");
}
