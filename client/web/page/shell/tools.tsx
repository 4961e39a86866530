// The panels that are used now and then, one at a time, as tabs.

import { useSignal, useSignalEffect } from "@preact/signals";
import { type ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";

import type { AppState } from "../app_state.ts";
import { ExchangePanel } from "../game/exchange_panel.tsx";
import { PlayPanel } from "../play/play_panel.tsx";
import { ReviewPanel } from "../review/review_panel.tsx";
import { SetupPanel } from "../setup/setup_panel.tsx";
import { LazyHood } from "./lazy_hood.tsx";

const TABS: [id: string, name: string, panel: ComponentType<{ app: AppState }>][] = [
  ["exchange", "FEN & PGN", ExchangePanel],
  ["review", "Review", ReviewPanel],
  ["play", "Play", PlayPanel],
  ["setup", "Set up", SetupPanel],
  ["hood", "Under the hood", LazyHood],
];

export function Tools({ app }: { app: AppState }) {
  const chosen = useSignal(0);
  const list = useRef<HTMLDivElement>(null);
  const [id, , Panel] = TABS[chosen.value]!;
  // A review goes on while another tab is looked at, but not when all of them are gone.
  useEffect(() => () => app.endReview(), [app]);
  // A file that was dropped is shown where its games are chosen.
  useSignalEffect(() => {
    if (app.gameFile.opened.value > 0) chosen.value = 0;
  });

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    chosen.value = (chosen.value + step + TABS.length) % TABS.length;
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[chosen.value]?.focus();
  }

  return (
    <section class="panel tools" aria-label="Tools">
      <div class="tabs" role="tablist" aria-label="Tools" ref={list} onKeyDown={onKeyDown}>
        {TABS.map(([tab, name], index) => (
          <button
            key={tab}
            id={`tab-${tab}`}
            type="button"
            role="tab"
            aria-selected={chosen.value === index}
            aria-controls="tool-panel"
            tabIndex={chosen.value === index ? 0 : -1}
            onClick={() => (chosen.value = index)}
          >
            {name}
          </button>
        ))}
      </div>
      <div id="tool-panel" role="tabpanel" aria-labelledby={`tab-${id}`}>
        <Panel app={app} />
      </div>
    </section>
  );
}
