import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "../../../support/needs.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

/** A certificate for this machine by an authority of its own. */
export function certificates() {
  const folder = temporaryFolder();
  const file = (name: string): string => join(folder, name);
  needs("openssl");
  const openssl = (...args: readonly string[]) =>
    execFileSync("openssl", args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl(
    "req",
    "-x509",
    ...key,
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-days",
    "2",
    "-subj",
    "/CN=team CA",
  );
  openssl("req", ...key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=monitor");
  writeFileSync(file("names"), "subjectAltName=DNS:localhost,IP:127.0.0.1");
  const signing = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"];
  openssl("x509", "-req", "-in", "server.csr", ...signing, "-out", "server.pem");
  return {
    cert: file("server.pem"),
    key: file("server.key"),
    caFile: file("ca.pem"),
    ca: readFileSync(file("ca.pem"), "utf8"),
  };
}
