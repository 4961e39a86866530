// The drawings that boards refer to, put into the page once. cm-chessboard looks for them under these ids before it
// would load files of its own.

import arrows from "./sprites/arrows.svg?raw";
import markers from "./sprites/markers.svg?raw";
import pieces from "./sprites/pieces.svg?raw";

const SPRITES = {
  "cm-chessboard-sprite": pieces,
  "cm-chessboard-markers": markers,
  "cm-chessboard-arrows": arrows,
};

export function installSprites(): void {
  for (const [id, drawing] of Object.entries(SPRITES)) {
    if (document.getElementById(id)) continue;
    const holder = document.createElement("div");
    holder.id = id;
    holder.className = "unseen";
    holder.innerHTML = drawing;
    document.body.append(holder);
  }
}
