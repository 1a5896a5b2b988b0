import { TenterhookError } from "../core/base/errors.ts";

/**
 * What package.json has for browsers and workers in place of each package. It throws when it is used, not while it is loaded:
 * a bundler may put it into a file that is loaded at once.
 */
function notHere(): never {
  throw new TenterhookError(
    "needs_node",
    "This part of Tenterhook needs Node, and this is a bundle for browsers or workers.",
  );
}

export {
  notHere as CallToolResultSchema,
  notHere as Client,
  notHere as createAnthropic,
  notHere as createGoogleGenerativeAI,
  notHere as createOpenAI,
  notHere as createOpenAICompatible,
  notHere as createRedisBackend,
  notHere as DelayedError,
  notHere as ErrorCode,
  notHere as ListToolsResultSchema,
  notHere as McpError,
  notHere as Pool,
  notHere as PostgresConnection,
  notHere as PostgresQueueBackend,
  notHere as Queue,
  notHere as ReadBuffer,
  notHere as runMigrations,
  notHere as StreamableHTTPClientTransport,
  notHere as serializeMessage,
  notHere as types,
  notHere as Worker,
};
