import { expect, it } from "vitest";
import { addressFor } from "../../../src/monitor/daemon/daemon.ts";

it.each([
  ["0.0.0.0", true, "https://monitor-1:7443"],
  ["::", true, "https://monitor-1:7443"],
  ["10.0.0.5", true, "https://10.0.0.5:7443"],
  ["fd00::1", true, "https://[fd00::1]:7443"],
  ["127.0.0.1", false, "http://127.0.0.1:7443"],
])("a server at %s is given an address that others can write", (host, hasTls, address) => {
  expect(addressFor(host, 7443, hasTls, "monitor-1")).toBe(address);
});
