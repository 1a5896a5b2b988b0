import { spawn } from "node:child_process";

/** Starts a process that carries out an action. It outlives the daemon. */
export function startAction(environment: NodeJS.ProcessEnv): (actionId: string) => void {
  const [, script = ""] = process.argv;
  return (actionId) => {
    const child = spawn(process.execPath, [script, "monitor", "carry-out", actionId], {
      detached: true,
      stdio: "ignore",
      cwd: "/",
      env: environment,
    });
    // It is started again when it has claimed nothing.
    child.on("error", () => undefined);
    child.unref();
  };
}
