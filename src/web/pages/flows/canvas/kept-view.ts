import * as z from 'zod/mini';

/** What of a canvas is kept in this browser: where it was looked at, and the block that was selected. */
export type KeptView = { x: number; y: number; zoom: number; block: string | undefined };

/** The most canvases that are kept: those that were left last. */
const most = 50;

const kept = z.array(
  z.object({ of: z.string(), x: z.number(), y: z.number(), zoom: z.number(), block: z.optional(z.string()) }),
);

const key = 'parley-canvas-views';

const readAll = (): z.infer<typeof kept> => {
  try {
    return kept.parse(JSON.parse(localStorage.getItem(key) ?? '[]'));
  } catch {
    return [];
  }
};

/** The view of a flow in which its user left it. */
export const findView = (owner: string): KeptView | undefined => {
  const view = readAll().find(({ of }) => of === owner);
  return view && { x: view.x, y: view.y, zoom: view.zoom, block: view.block };
};

export const keepView = (owner: string, view: KeptView): void => {
  try {
    const others = readAll().filter(({ of }) => of !== owner);
    localStorage.setItem(key, JSON.stringify([{ of: owner, ...view }, ...others].slice(0, most)));
  } catch {
    // A browser that keeps nothing opens each flow at its beginning.
  }
};
