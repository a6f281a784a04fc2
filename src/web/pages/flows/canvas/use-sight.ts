import { useEffect, type RefObject } from 'react';
import type { Builder } from '../builder/builder-context.ts';
import type { Instance } from '../drawing/view.ts';
import { keyOf } from '../drawing/read-flow.ts';
import { bringIntoSight } from './sight.ts';

type Deps = { canvas: RefObject<HTMLDivElement | null>; drawn: Instance; builder: Builder };

/** Keeps the selected block in sight when another one is selected, and when the panel beside takes room. */
export const useSight = ({ canvas, drawn, builder: { selected, opened } }: Deps): void => {
  const [first] = selected;
  useEffect(() => {
    const { current: box } = canvas;
    if (!box || first === undefined) return undefined;
    const show = (): void => bringIntoSight(drawn, box, keyOf(first));
    // Tells of the present size, too, once it is known.
    const observer = new ResizeObserver(show);
    observer.observe(box);
    return () => observer.disconnect();
    // A block that is opened again is shown again.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [canvas, drawn, first, opened]);
};
