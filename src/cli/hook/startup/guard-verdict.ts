import type { NativeReply } from "../../../adapters/adapter.ts";
import { systemCode } from "../../../node/system-code.ts";
import { REFUSED, type Saying } from "../saying.ts";
import { spareStdout } from "./spare-stdout.ts";

/**
 * Stands guard over the verdict before code of other people runs in this process: what that writes to stdout goes to
 * stderr, since an agent that finds other text before the verdict does not read it; and when it ends the process, or has
 * an error nobody handles, before the verdict is said, the event is refused.
 */
export function guardVerdict(saying: Saying, refuse: (reason: string) => NativeReply): void {
  const getter = Object.getOwnPropertyDescriptor(process, "stdout")?.get;
  if (getter !== undefined) saying.stdout = () => getter.call(process);
  spareStdout();
  const refused = (reason: string): void => {
    const { stdout, stderr, exit_code } = refuse(reason);
    saying.state = "said";
    saying.exit_code = exit_code;
    if (stderr !== "") writeNow(saying, 2, `${stderr}\n`);
    if (stdout !== "") writeNow(saying, 1, stdout);
  };
  const failed = (error: unknown): void => {
    if (saying.state !== "open") return;
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    refused(`The code of a hook failed outside of its call: ${what}`);
    process.exit(saying.exit_code);
  };
  process.on("uncaughtException", failed);
  process.on("unhandledRejection", failed);
  process.on("exit", () => {
    if (saying.state === "open") refused("The code of a hook ended tenterhook before it could decide.");
    // Who ends the process decides neither what was said nor what half of it means.
    process.exitCode = saying.state === "saying" ? REFUSED : saying.exit_code;
  });
}

/** Writes all of it before anything else happens. Nobody who has gone away is waited for. */
function writeNow({ write }: Saying, descriptor: 1 | 2, text: string): void {
  let rest = Buffer.from(text);
  const latest = Date.now() + MOST_MILLISECONDS;
  while (rest.length > 0 && Date.now() < latest) {
    try {
      rest = rest.subarray(write(descriptor, rest));
    } catch (error) {
      if (systemCode(error) !== "EAGAIN") return;
    }
  }
}

const MOST_MILLISECONDS = 5000;
