import { McpClient } from "../../node/mcp/mcp-client.ts";
import type { McpServerSite } from "../../node/mcp/server-call.ts";
import type { HandlerPorts } from "../handler.ts";

export interface SharedClient {
  /** Returns the client and counts this hook as one of its users. */
  use(): McpClient;
  /** The last user closes the client. */
  release(): Promise<void>;
  health(): string;
}

interface Entry {
  readonly client: McpClient;
  users: number;
}

const sets = new WeakMap<HandlerPorts, Map<string, Entry>>();

/** One client for all hooks of a set that name the same server in the same way. */
export function sharedClient(site: McpServerSite, ports: HandlerPorts): SharedClient {
  let entries = sets.get(ports);
  if (entries === undefined) {
    entries = new Map();
    sets.set(ports, entries);
  }
  const clients = entries;
  const key = JSON.stringify([site.name, site.server, site.root]);
  let used: Entry | undefined;
  return {
    use: () => {
      if (used === undefined) {
        used = clients.get(key) ?? { client: new McpClient(site), users: 0 };
        used.users += 1;
        clients.set(key, used);
      }
      return used.client;
    },
    release: async () => {
      const entry = used;
      used = undefined;
      if (entry === undefined) return;
      entry.users -= 1;
      if (entry.users > 0) return;
      clients.delete(key);
      await entry.client.close();
    },
    health: () => used?.client.health() ?? "not connected",
  };
}
