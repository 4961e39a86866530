// Files that are dropped anywhere on the page.

import type { AppState } from "../app_state.ts";

const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

/** Takes the first file of a drop. The browser would leave the page for it. */
export function takeDroppedFiles(app: AppState, target: Document = document): void {
  target.addEventListener("dragover", (event) => {
    if (holdsFiles(event)) event.preventDefault();
  });
  target.addEventListener("drop", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    const file = event.dataTransfer!.files[0];
    if (file) void app.gameFile.open(file);
  });
}
