import type { ClientConfig } from "pg";

/**
 * Connections of a pool that may break at any moment. `pg` tells of it with an event that ends the process when nobody
 * listens, and nobody does between the moment a pool hands a connection out and the moment its user has it.
 */
export function sturdyClient(Client: typeof import("pg").Client): typeof Client {
  return class extends Client {
    constructor(config?: string | ClientConfig) {
      super(config);
      this.on("error", () => {});
    }
  };
}
