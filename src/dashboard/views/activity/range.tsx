import { goWords } from "../../net/route.ts";

/** A time as its field takes it. */
function fieldText(time: number): string {
  const date = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16);
}

/** The range that was dragged over a plot, to be seen and changed from the keyboard. */
export function Range({ from, to }: { readonly from: number; readonly to: number }) {
  const field = (name: string, word: "from" | "to", time: number) => (
    <label>
      <span class="muted">{name}</span>
      <input
        class="field"
        type="datetime-local"
        value={fieldText(time)}
        onChange={({ currentTarget: { value } }) => {
          const chosen = new Date(value).getTime();
          if (!Number.isNaN(chosen)) goWords({ [word]: String(chosen) });
        }}
      />
    </label>
  );
  return (
    <div class="range">
      {field("From", "from", from)}
      {field("to", "to", to)}
      <button type="button" class="btn plain" onClick={() => goWords({ from: undefined, to: undefined })}>
        Clear
      </button>
    </div>
  );
}
