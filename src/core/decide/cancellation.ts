/**
 * True when a signal was aborted. Read by name: on Node 20 every signal has a hidden class of its own, and code that
 * reads it directly is thrown away and compiled anew with each new one.
 */
export function isAborted(signal: AbortSignal | undefined): boolean {
  return signal !== undefined && Reflect.get(signal, "aborted") === true;
}

/** Those who want to know when the caller cancels. However many, the caller's signal has one listener, and only while there is somebody. */
export class Cancellation {
  private readonly signal: AbortSignal;
  private readonly callbacks = new Set<() => void>();
  private readonly tell = (): void => {
    for (const callback of [...this.callbacks]) callback();
  };

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  /** Calls back when the signal is aborted, soon if it is already; answers a function that takes the call back. */
  add(callback: () => void): () => void {
    if (isAborted(this.signal)) queueMicrotask(() => this.callbacks.has(callback) && callback());
    else if (this.callbacks.size === 0) this.signal.addEventListener("abort", this.tell);
    this.callbacks.add(callback);
    return () => {
      this.callbacks.delete(callback);
      if (this.callbacks.size === 0) this.signal.removeEventListener("abort", this.tell);
    };
  }
}
