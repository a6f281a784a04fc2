import type { Instance } from '../drawing/view.ts';

type Point = { x: number; y: number };

/** So near to the border of the canvas a pointer moves it, the faster the nearer, in px. */
const near = 40;

/** The most that the canvas moves in a frame, in px. */
const fastest = 14;

const speedOf = (at: number, from: number, to: number): number => {
  if (at < from + near) return fastest * Math.min(1, (from + near - at) / near);
  return at > to - near ? -fastest * Math.min(1, (at - to + near) / near) : 0;
};

/** Moves the canvas while a pointer is held at its border, until the signal. `follow` is called after each move. */
export const panAtBorder = (
  drawn: Instance,
  box: Element,
  { at, follow, signal }: { at: () => Point; follow: () => void; signal: AbortSignal },
): void => {
  const step = (): void => {
    if (signal.aborted) return;
    const { left, right, top, bottom } = box.getBoundingClientRect();
    const pointer = at();
    const by = { x: speedOf(pointer.x, left, right), y: speedOf(pointer.y, top, bottom) };
    if (by.x !== 0 || by.y !== 0) {
      const { x, y, zoom } = drawn.getViewport();
      void drawn.setViewport({ x: x + by.x, y: y + by.y, zoom });
      follow();
    }
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
};
