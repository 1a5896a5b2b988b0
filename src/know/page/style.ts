const LIGHT = `
  --paper: #fbfbfa; --card: #ffffff; --sunk: #f3f3f1; --line: #e6e5e1; --line-strong: #d3d2cc;
  --ink: #1b1b19; --ink-2: #5c5b55; --ink-3: #6d6c65; --accent: #3452c7; --accent-soft: #eaeefb; --work-band: #7d96e8;
  --wait: #9a5b00; --wait-soft: #fdf1da; --wait-band: #e8a33a; --stop: #b3261e; --stop-soft: #fbe9e7; --stop-band: #d9534a;
  --good: #2f6b3c; --good-soft: #e7f1e9; --shadow: 0 1px 2px rgb(0 0 0 / 0.05); color-scheme: light;`;

const DARK = `
  --paper: #141413; --card: #1b1b1a; --sunk: #222220; --line: #2c2c29; --line-strong: #3d3d39;
  --ink: #ecebe7; --ink-2: #a9a8a1; --ink-3: #8b8a83; --accent: #93a9f5; --accent-soft: #222a47; --work-band: #5169b8;
  --wait: #f0b65a; --wait-soft: #352a16; --wait-band: #c98a2b; --stop: #f2897f; --stop-soft: #3a1f1d; --stop-band: #c4483f;
  --good: #8fc79c; --good-soft: #1d2e21; --shadow: none; color-scheme: dark;`;

/** Colour carries meaning only: amber = asks, red = stops, blue = rewrites; all else is ink on paper. */
export const STYLE = `
:root {${LIGHT}
  --sans: "Inter Variable", system-ui, sans-serif; --mono: ui-monospace, "SF Mono", Menlo, Consolas, monospace;
  --row: 38px;
}
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) {${DARK} } }
:root[data-theme=dark] {${DARK} }
* { box-sizing: border-box; }
html { font: 13.5px/1.45 var(--sans); color: var(--ink); background: var(--paper); font-feature-settings: "tnum"; -webkit-font-smoothing: antialiased; }
body { margin: 0; }
main { padding: 20px 28px 40px; max-width: 1360px; margin: 0 auto; }
h1 { font-size: 17px; font-weight: 600; letter-spacing: -.01em; margin: 0; }
h2 { font-size: 13.5px; font-weight: 600; margin: 0 0 8px; }
code { font-family: var(--mono); font-size: 12px; font-feature-settings: "liga" 0; }
button, input { font: inherit; color: inherit; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.muted { color: var(--ink-2); } .faint { color: var(--ink-3); } .stop { color: var(--stop); } .wait { color: var(--wait); } .rewrites { color: var(--accent); }
.num { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.head { display: flex; align-items: center; gap: 12px; margin-bottom: 16px; min-height: 32px; flex-wrap: wrap; }
.head .right { margin-left: auto; display: flex; gap: 8px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; box-shadow: var(--shadow); }
section + section, .two, .two + section { margin-top: 24px; }
.btn { border: 1px solid var(--line-strong); background: var(--card); border-radius: 6px; padding: 5px 11px; cursor: pointer; white-space: nowrap; }
.btn:hover { background: var(--sunk); }
.field { border: 1px solid var(--line-strong); background: var(--card); border-radius: 6px; padding: 5px 10px; min-width: 0; flex: 1; max-width: 420px; }
.field::placeholder { color: var(--ink-3); }
.tabs { display: inline-flex; gap: 2px; background: var(--sunk); border-radius: 7px; padding: 2px; }
.tabs button { border: 0; background: none; padding: 4px 10px; border-radius: 5px; color: var(--ink-2); cursor: pointer; white-space: nowrap; }
.tabs button[aria-pressed=true] { background: var(--card); color: var(--ink); box-shadow: var(--shadow); font-weight: 500; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); overflow: hidden; }
.tile { padding: 13px 16px; box-shadow: -1px -1px 0 var(--line); display: grid; gap: 1px; align-content: start; }
.tile b { font-size: 22px; font-weight: 600; letter-spacing: -.02em; font-variant-numeric: tabular-nums; } .tile span { color: var(--ink-2); font-size: 12.5px; } .tile small { color: var(--ink-3); font-size: 12px; }
.two { display: grid; grid-template-columns: minmax(0, 1.15fr) minmax(0, 1fr); gap: 24px; align-items: start; }
.plot { padding: 12px 16px 8px; } .plot svg { display: block; width: 100%; height: 168px; }
.axis { display: flex; justify-content: space-between; color: var(--ink-3); font-size: 11.5px; margin-top: 4px; }
.legend { display: flex; gap: 16px; color: var(--ink-2); font-size: 12px; flex-wrap: wrap; margin-left: auto; font-weight: 400; } .legend span { display: inline-flex; gap: 6px; align-items: center; }
.legend i { width: 8px; height: 8px; border-radius: 99px; display: block; }
.bar { display: flex; align-items: baseline; gap: 8px; }
table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-weight: 500; font-size: 12px; color: var(--ink-3); padding: 8px 12px; border-bottom: 1px solid var(--line); white-space: nowrap; }
th.num { text-align: right; }
td { padding: 8px 12px; border-bottom: 1px solid var(--line); } tr:last-child td { border-bottom: 0; }
td.clip { max-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; width: 55%; }
.short { max-height: 212px; overflow-y: auto; }
td.hook { white-space: nowrap; max-width: 190px; overflow: hidden; text-overflow: ellipsis; }
.tag { display: inline-block; padding: 0 7px; border-radius: 4px; font-size: 11.5px; line-height: 18px; background: var(--sunk); color: var(--ink-2); white-space: nowrap; }
.tag.deny { background: var(--stop-soft); color: var(--stop); } .tag.ask { background: var(--wait-soft); color: var(--wait); } .tag.rewrite { background: var(--accent-soft); color: var(--accent); } .tag.continue { background: var(--good-soft); color: var(--good); }
.tools { display: flex; gap: 12px; align-items: center; margin-bottom: 8px; flex-wrap: wrap; }
.grid { display: grid; grid-template-columns: 74px minmax(0, 1.5fr) minmax(0, 1fr) 120px 106px; gap: 0 12px; align-items: center; padding: 0 12px; }
.titles { font-weight: 500; font-size: 12px; color: var(--ink-3); height: 34px; border-bottom: 1px solid var(--line); }
.list { height: min(62vh, 720px); min-height: 220px; overflow-y: auto; position: relative; }
.list .row { position: absolute; left: 0; right: 0; height: var(--row); border: 0; border-bottom: 1px solid var(--line); background: none; text-align: left; cursor: pointer; width: 100%; }
.list .row:hover { background: color-mix(in srgb, var(--sunk) 55%, transparent); }
.list .row > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.empty { padding: 40px; text-align: center; color: var(--ink-2); }
dialog { border: 1px solid var(--line-strong); border-radius: 10px; background: var(--card); color: var(--ink); padding: 20px; width: min(760px, calc(100vw - 28px)); max-height: 84vh; }
dialog::backdrop { background: rgb(0 0 0 / .35); }
dialog header { display: flex; gap: 8px; align-items: center; margin-bottom: 12px; } dialog header .btn { margin-left: auto; }
.call { display: block; background: var(--sunk); border-radius: 6px; padding: 9px 11px; margin: 0 0 12px; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.55; max-height: 40vh; overflow-y: auto; }
dl { display: grid; grid-template-columns: 92px minmax(0, 1fr); gap: 6px 12px; margin: 0; } dt { color: var(--ink-2); } dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 760px) {
  :root { --row: 58px; }
  main { padding: 14px 14px 32px; } .head .right { margin-left: 0; width: 100%; } .head .right .btn { flex: 1; min-height: 40px; }
  .two { grid-template-columns: minmax(0, 1fr); } .tiles { grid-template-columns: repeat(2, 1fr); }
  .field { flex: 1 0 100%; max-width: none; min-height: 40px; } .tabs { width: 100%; } .tabs button { flex: 1; min-height: 36px; }
  .titles { display: none; } .wide { display: none; } td.hook { max-width: 120px; }
  .list .grid { grid-template-columns: 64px minmax(0, 1fr); grid-template-rows: auto auto; align-content: center; gap: 1px 10px; }
  .list .row .why { grid-column: 2; } .list .row .agent, .list .row .when { display: none; }
}
@media print { .list { height: auto; } .tools, .head .right { display: none; } }
`;
