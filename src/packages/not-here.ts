import { TenterhookError } from "../core/base/errors.ts";

// What package.json has for browsers and workers in place of each package.
throw new TenterhookError(
  "needs_node",
  "This part of Tenterhook needs Node, and this is a bundle for browsers or workers.",
);
