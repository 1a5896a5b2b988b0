import { useEffect, useState } from "preact/hooks";

/** The time, again and again, for ages that grow. */
export function useNow(milliseconds = 1000): number {
  const [now, set] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => set(Date.now()), milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
  return now;
}
