import { useStdout } from "ink";
import { useEffect, useState } from "react";
import type { Size } from "../layout.ts";

/** The size of the terminal, as it changes. One that does not know its size says 0. */
export function useScreenSize(): Size {
  const { stdout } = useStdout();
  const [size, setSize] = useState(() => sizeOf(stdout));
  useEffect(() => {
    const resized = (): void => setSize(sizeOf(stdout));
    stdout.on("resize", resized);
    return () => {
      stdout.off("resize", resized);
    };
  }, [stdout]);
  return size;
}

function sizeOf({ columns, rows }: NodeJS.WriteStream): Size {
  return { width: columns || 80, height: rows || 24 };
}
