import { useLayoutEffect, useRef } from "preact/hooks";
import { goWords } from "../../net/route.ts";

/** A time as its field takes it. */
function fieldText(time: number): string {
  const date = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16);
}

interface FieldProps {
  readonly name: string;
  readonly time: number;
  readonly onChange: (time: number) => void;
}

/** A field for a time. What somebody types stays until it is whole or left: part of a date is no value that the page knows. */
function TimeField({ name, time, onChange }: FieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const text = fieldText(time);
  const show = (): void => {
    if (field.current !== null && field.current.value !== text) field.current.value = text;
  };
  useLayoutEffect(() => {
    if (document.activeElement !== field.current) show();
  }, [text]);
  return (
    <label>
      <span class="muted">{name}</span>
      <input
        ref={field}
        class="field"
        type="datetime-local"
        onChange={({ currentTarget: { value } }) => {
          const chosen = new Date(value).getTime();
          // The first digits of a year are a year, too.
          if (chosen > 0) onChange(chosen);
        }}
        onBlur={show}
      />
    </label>
  );
}

/** The range that was dragged over a plot, to be seen and changed from the keyboard. */
export function Range({ from, to }: { readonly from: number; readonly to: number }) {
  return (
    <div class="range">
      <TimeField name="From" time={from} onChange={(time) => goWords({ from: String(time) })} />
      <TimeField name="to" time={to} onChange={(time) => goWords({ to: String(time) })} />
      <button type="button" class="btn plain" onClick={() => goWords({ from: undefined, to: undefined })}>
        Clear
      </button>
    </div>
  );
}
