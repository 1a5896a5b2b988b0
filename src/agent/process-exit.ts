/** Something that has to be ended before the process is. */
interface Open {
  close(reason: string): unknown;
}

const open = new Set<Open>();
let listening = false;

/**
 * Has something closed when the process ends, unless it was forgotten before. When the process runs out of work there is
 * time for everything; when it is ended by an error or `process.exit`, only for what answers at once.
 */
export function closeAtExit(thing: Open): () => void {
  if (!listening) {
    listening = true;
    process.on("beforeExit", () => closeAll("exit"));
    process.on("exit", (code) => closeAll(code === 0 ? "exit" : "error"));
  }
  open.add(thing);
  return () => {
    open.delete(thing);
  };
}

function closeAll(reason: string): void {
  for (const thing of [...open]) {
    open.delete(thing);
    thing.close(reason);
  }
}
