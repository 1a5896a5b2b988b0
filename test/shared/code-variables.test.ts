import { describe, expect, it } from "vitest";
import { loadsCode, NODE_VARIABLES, withoutCode } from "../../src/shared/code-variables.ts";

describe("variables that load code", () => {
  it("are those of Node, the linker, perl and shells, unless they are empty", () => {
    const given = {
      NODE_OPTIONS: "--require ./a.js",
      NODE_PATH: "/tmp/a",
      LD_PRELOAD: "/tmp/a.so",
      LD_LIBRARY_PATH: "/tmp",
      LD_AUDIT: "/tmp/a.so",
      DYLD_INSERT_LIBRARIES: "/tmp/a.dylib",
      PERL5OPT: "-Ma",
      PERL5LIB: "/tmp",
      BASH_ENV: "/tmp/a",
      PYTHONSTARTUP: "/tmp/a.py",
      "BASH_FUNC_mv%%": "() { :; }",
    };
    expect(Object.entries(given).filter(([name, value]) => !loadsCode(name, value))).toEqual([]);
    expect(withoutCode({ ...given, LD_PRELOAD: "", PATH: "/bin" })).toEqual({ LD_PRELOAD: "", PATH: "/bin" });
  });

  it("leave certificates, proxies and limits", () => {
    const environment = {
      NODE_EXTRA_CA_CERTS: "/etc/ca.pem",
      SSL_CERT_FILE: "/etc/ca.pem",
      HTTPS_PROXY: "http://proxy:3128",
      NODE_OPTIONS: "--use-system-ca --max-old-space-size=4096",
      LANG: undefined,
    };
    expect(withoutCode(environment)).toEqual(environment);
  });

  it("are cut to the options that load nothing", () => {
    const NODE_OPTIONS =
      "--use-openssl-ca  -r ./a.js --import=data:text/javascript,1 --inspect=0 --max-old-space-size=9";
    expect(withoutCode({ NODE_OPTIONS })).toEqual({
      NODE_OPTIONS: "--use-openssl-ca --max-old-space-size=9",
    });
  });

  it("count when their value is not known, and not where a line only adds to it", () => {
    expect(loadsCode("NODE_OPTIONS", undefined)).toBe(true);
    expect(loadsCode("NODE_OPTIONS", "$NODE_OPTIONS --max-old-space-size=4096")).toBe(false);
  });
});

it("knows the variables by which Node gets code, where they can't be listed", () => {
  expect(NODE_VARIABLES.filter((name) => !loadsCode(name, "--require /tmp/a.js"))).toEqual([]);
});
