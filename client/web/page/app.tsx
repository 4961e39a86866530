// The page as a whole.

import { AnalysisPanel } from "./analysis/analysis_panel.tsx";
import { EvalBar } from "./analysis/eval_bar.tsx";
import { ScoreGraph } from "./analysis/score_graph.tsx";
import type { AppState } from "./app_state.ts";
import { Board } from "./board/board.tsx";
import { MoveField } from "./board/move_field.tsx";
import { PromotionDialog } from "./board/promotion_dialog.tsx";
import { MoveList } from "./game/move_list.tsx";
import { Navigation, StatusLine } from "./game/navigation.tsx";
import type { Announcer } from "./shell/announcer.ts";
import { PageHeader } from "./shell/page_header.tsx";
import { ServerLoad } from "./shell/server_load.tsx";
import { Tools } from "./shell/tools.tsx";

function Announcements({ announcer, testId }: { announcer: Announcer; testId: string }) {
  const { text, number } = announcer.words.value;
  return (
    <div class="unseen" aria-live="polite" data-testid={testId}>
      <span key={number}>{text}</span>
    </div>
  );
}

export function App({ app }: { app: AppState }) {
  return (
    <>
      <PageHeader app={app} />
      <main>
        <section class="board-side" aria-label="Board">
          <div class="board-row">
            <EvalBar app={app} />
            <Board app={app} />
          </div>
          <StatusLine app={app} />
          <Navigation app={app} />
          <MoveField app={app} />
        </section>
        <div class="panel-side">
          <AnalysisPanel app={app} />
          <MoveList app={app} />
          <ScoreGraph app={app} />
          <Tools app={app} />
          <ServerLoad app={app} />
        </div>
      </main>
      <PromotionDialog app={app} />
      <Announcements announcer={app.announcer} testId="announcements" />
      <Announcements announcer={app.analysisAnnouncer} testId="analysis-announcements" />
    </>
  );
}
