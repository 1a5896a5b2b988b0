import { useEffect, useState } from "preact/hooks";

/** The time, again and again, for ages that grow. */
export function useNow(milliseconds = 1000): number {
  const [now, set] = useState(Date.now);
  useEffect(() => {
    // Nobody looks at a page in the background, and it asks for nothing.
    const tick = (): void => {
      if (!document.hidden) set(Date.now());
    };
    const timer = setInterval(tick, milliseconds);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [milliseconds]);
  return now;
}
