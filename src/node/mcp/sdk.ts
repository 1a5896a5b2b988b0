/** The parts of the MCP SDK that a client needs, loaded on first use: that takes a fifth of a second. */
export async function loadSdk() {
  const [{ Client }, types, lines] = await Promise.all([
    import("@modelcontextprotocol/sdk/client/index.js"),
    import("@modelcontextprotocol/sdk/types.js"),
    import("@modelcontextprotocol/sdk/shared/stdio.js"),
  ]);
  return { Client, types, lines };
}

export type Sdk = Awaited<ReturnType<typeof loadSdk>>;
