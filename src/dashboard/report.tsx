import { useEffect } from "preact/hooks";
import type { Report } from "../monitor/dashboard/wire.ts";
import { useRoute } from "./net/route.ts";
import { exactMoment } from "./parts/format.ts";
import { Frame, type NavigationItem } from "./parts/frame.tsx";
import { Proofs } from "./views/proofs.tsx";
import { Found } from "./views/replay/found.tsx";

/* The dashboard, frozen: the same frame and the same views, with what the file holds and nobody to ask. */

const ITEMS: Readonly<Record<Report["view"], NavigationItem>> = {
  replay: { path: "/", name: "Replay", icon: "replay" },
  prove: { path: "/", name: "Prove", icon: "prove" },
};

const ABOUT: Readonly<Record<Report["view"], string>> = {
  replay: "what your hooks would have stopped",
  prove: "which agents obey your hooks",
};

export function Frozen({ report }: { readonly report: Report }) {
  useRoute();
  const item = ITEMS[report.view];
  useEffect(() => {
    document.title = `${item.name} · Tenterhook`;
  }, [item]);
  return (
    <Frame items={[item]} current="/" foot={<span>Tenterhook {report.version}</span>}>
      <main>
        <div class="head">
          <h1>{item.name}</h1>
          <span class="muted">{ABOUT[report.view]}</span>
          <div class="right">
            <span class="muted">
              A report, made <time dateTime={report.made_at}>{exactMoment(report.made_at)}</time>
            </span>
          </div>
        </div>
        {report.view === "replay" ? <Found found={report.found} /> : <Proofs found={report.found} />}
      </main>
    </Frame>
  );
}

/** What the file holds; `undefined` in the live page. */
export function heldReport(): Report | undefined {
  const text = document.getElementById("report")?.textContent ?? "";
  return text === "" ? undefined : JSON.parse(text);
}
