import { expect, it } from "vitest";
import { daemonEnvironment } from "../../src/cli/commands/monitor/daemon/connect.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

it("the daemon gets no variable that loads code, and keeps certificates and proxies", async () => {
  const kept = {
    HOME: temporaryFolder(),
    PATH: "/bin",
    NODE_EXTRA_CA_CERTS: "/etc/ca.pem",
    SSL_CERT_FILE: "/etc/ca.pem",
    HTTPS_PROXY: "http://proxy:3128",
  };
  const loads = {
    NODE_PATH: "/tmp/a",
    LD_PRELOAD: "/tmp/a.so",
    LD_LIBRARY_PATH: "/tmp",
    PERL5OPT: "-Ma",
    BASH_ENV: "/tmp/a",
  };
  const NODE_OPTIONS = "--require /tmp/a.js --use-system-ca";
  expect(await daemonEnvironment({ ...kept, ...loads, NODE_OPTIONS, CLAUDECODE: "1" })).toEqual({
    ...kept,
    NODE_OPTIONS: "--use-system-ca",
  });
});
