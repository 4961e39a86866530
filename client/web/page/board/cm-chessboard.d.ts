// The part of cm-chessboard that the page uses.

declare module "cm-chessboard/src/Chessboard.js" {
  export interface InputEvent {
    type: string;
    squareFrom: string;
    squareTo?: string;
    legalMove?: boolean;
    /** Set by the handler. */
    animate?: boolean;
  }
  export interface MarkerType {
    class: string;
    slice: string;
    position?: "above";
  }
  export interface ArrowType {
    class: string;
  }
  export class Chessboard {
    constructor(host: HTMLElement, props: object);
    setPosition(placement: string, animated: boolean): Promise<void>;
    setOrientation(color: "w" | "b", animated: boolean): Promise<void>;
    getOrientation(): "w" | "b";
    enableMoveInput(handler: (event: InputEvent) => boolean | void, color?: "w" | "b"): void;
    disableMoveInput(): void;
    isMoveInputEnabled(): boolean;
    destroy(): void;
    // by its extensions
    addMarker(type: MarkerType, square: string): void;
    removeMarkers(type?: MarkerType, square?: string): void;
    addArrow(type: ArrowType, from: string, to: string): void;
    removeArrows(type?: ArrowType): void;
  }
}

declare module "cm-chessboard/src/extensions/markers/Markers.js" {
  export const Markers: unknown;
}

declare module "cm-chessboard/src/extensions/arrows/Arrows.js" {
  export const Arrows: unknown;
}
