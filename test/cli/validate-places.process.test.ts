import { FIRST, placesSuite } from "./support/validate-places.ts";

const BASE = { ...FIRST, name: "h" };

placesSuite([
  ["a shell line that the shell can't read", { ...BASE, command: "if true; then" }, "if true; then"],
  ["a script with Windows line ends", { ...BASE, command: undefined, script: "crlf.sh" }, "crlf.sh"],
  ["a script that the shell can't read", { ...BASE, command: undefined, script: "broken.sh" }, "broken.sh"],
  ["a script that a command names", { ...BASE, command: "bash broken.sh" }, "bash broken.sh"],
]);
