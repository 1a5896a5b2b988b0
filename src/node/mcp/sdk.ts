/** The parts of the MCP SDK that a client needs. Loading them takes a fifth of a second, so it is left to the first use. */
export async function loadSdk() {
  const [{ Client }, types, lines] = await Promise.all([
    import("@modelcontextprotocol/sdk/client/index.js"),
    import("@modelcontextprotocol/sdk/types.js"),
    import("@modelcontextprotocol/sdk/shared/stdio.js"),
  ]);
  return { Client, types, lines };
}

/** What {@link loadSdk} gives. */
export type Sdk = Awaited<ReturnType<typeof loadSdk>>;
