// Fetches the panel under the hood when it is first opened.

import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";

import type { AppState } from "../app_state.ts";

export function LazyHood({ app }: { app: AppState }) {
  const loaded = useSignal<{ Panel: ComponentType<{ app: AppState }> } | undefined>(undefined);
  const problem = useSignal("");
  useEffect(() => {
    import("../hood/hood_panel.tsx").then(
      ({ HoodPanel }) => (loaded.value = { Panel: HoodPanel }),
      () => (problem.value = "This part of the page could not be loaded."),
    );
  }, []);
  if (!loaded.value) return <p class="hint">{problem.value || "Loading…"}</p>;
  const { Panel } = loaded.value;
  return <Panel app={app} />;
}
