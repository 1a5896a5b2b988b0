import { killingCommandSuite, moduleCodeSuite } from "./support/hook-code-suite.ts";
import { HOSTS } from "./support/hosts.ts";

for (const [place, host] of HOSTS) {
  moduleCodeSuite(place, host);
  killingCommandSuite(place, host);
}
