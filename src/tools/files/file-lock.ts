const last = new Map<string, Promise<void>>();

/** Does the work on a file after all work on it that was asked for before, in this process. */
export async function withFileLock<T>(real: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const before = last.get(real);
  let release = (): void => {};
  const mine = new Promise<void>((resolve) => {
    release = resolve;
  });
  last.set(real, mine);
  try {
    await before;
    signal.throwIfAborted();
    return await work();
  } finally {
    release();
    if (last.get(real) === mine) last.delete(real);
  }
}
