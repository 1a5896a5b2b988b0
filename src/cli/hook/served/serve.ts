import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { PACKAGE_VERSION } from "../../../node/package-version.ts";
import { decideCall } from "./decide-call.ts";
import { callReader, type HookCall } from "./read-call.ts";
import { newRecord } from "./records.ts";

/** A longer payload is left to a process of its own, so that others need not wait. */
const MOST_BYTES = 2_000_000;
/** More calls than this wait longer than a process of their own would take. */
const MOST_WAITING = 50;

/** Decides calls, one after another. Everything but a reply with 200 leaves the call to a process of its own. */
export function callServer(): Hono {
  const read = callReader();
  const decide = oneAtATime();
  const app = new Hono();
  app.use(bodyLimit({ maxSize: MOST_BYTES }));
  app.post("/hook/:version", async (context) => {
    // Another version may decide otherwise.
    if (context.req.param("version") !== PACKAGE_VERSION) return context.body(null, 409);
    const call = read(Buffer.from(await context.req.arrayBuffer()));
    const reply = call === undefined ? undefined : await decide(call);
    if (reply === undefined) return context.body(null, 409);
    return context.body(reply, 200, { "content-length": String(Buffer.byteLength(reply)) });
  });
  return app;
}

/** Decides with the folder and the variables of the call, as its own process would. */
function oneAtATime(): (call: HookCall) => Promise<string | undefined> {
  const record = newRecord();
  const own = { environment: process.env, cwd: process.cwd() };
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const decideNow = async (call: HookCall): Promise<string | undefined> => {
    process.env = call.variables.environment;
    try {
      process.chdir(call.cwd);
      return await decideCall(call, record);
    } catch {
      return undefined;
    } finally {
      process.env = own.environment;
      process.chdir(own.cwd);
    }
  };
  return async (call) => {
    if (waiting >= MOST_WAITING) return undefined;
    waiting += 1;
    const mine = last.then(() => decideNow(call));
    last = mine;
    return mine.finally(() => {
      waiting -= 1;
    });
  };
}
