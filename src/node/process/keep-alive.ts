import { Socket } from "node:net";
import type { StartedProgram } from "./start-program.ts";

/** Whether a program that stays keeps our process alive: it does only while something is asked of it. */
export function keepAlive({ child }: StartedProgram, wanted: boolean): void {
  for (const handle of [child, ...child.stdio]) {
    if (handle !== child && !(handle instanceof Socket)) continue;
    if (wanted) handle.ref();
    else handle.unref();
  }
}
