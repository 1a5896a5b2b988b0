import { createServer } from "node:http";
import { expect, it } from "vitest";
import { boundedFetch } from "../../../src/agent/model/providers.ts";

it("an answer without an end is given up", async () => {
  const piece = Buffer.alloc(1_000_000, "x");
  const server = createServer((_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.on("drain", more);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const response = await boundedFetch(`http://127.0.0.1:${port}/`);
    await expect(response.text()).rejects.toThrow("The answer has more than 32000000 bytes.");
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
