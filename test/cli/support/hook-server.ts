import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** A hook whose code is in the test: a server in the test's process, in the place of a program that has to start. */
export interface HookServer {
  /** What makes a definition a hook that asks it. */
  readonly asks: { readonly type: "http"; readonly url: string };
  /** The events it was asked about, in order. */
  readonly events: readonly Readonly<Record<string, unknown>>[];
}

/** Starts a hook that answers as given; `undefined` has nothing to say. It ends with the test. */
export async function hookServer(
  answer: (
    event: Readonly<Record<string, unknown>>,
  ) => object | undefined | Promise<object | undefined> = () => undefined,
): Promise<HookServer> {
  const events: Readonly<Record<string, unknown>>[] = [];
  const server = createServer(async (request, response) => {
    const event = Object(await json(request));
    events.push(event);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify((await answer(event)) ?? {}));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const port = Reflect.get(Object(server.address()), "port");
  return { asks: { type: "http", url: `http://127.0.0.1:${port}/` }, events };
}
