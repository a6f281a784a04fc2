import { useLayoutEffect, useMemo, useState, type ReactNode } from 'react';
import { useFlowNames } from '../../../parts/use-flow-names.ts';
import { createActions, type Now } from '../canvas/actions.ts';
import { hold } from '../canvas/hold.ts';
import type { Drawn } from '../drawing/use-drawn.ts';
import type { DrawnFlow } from '../drawing/read-flow.ts';
import { ActingContext, type Acting as Shared } from './acting-context.ts';
import { useBuilder } from './builder-context.ts';

type Props = { flow: DrawnFlow; drawn: Drawn | undefined; children: ReactNode };

const noNodes: Now['nodes'] = [];

/** Where nothing shows blocks, the first thing that can be done takes the focus. */
const focusFirstButton = (): void => {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.builder-canvas button')?.focus());
};

/** Gives the parts of the builder what they do with the draft, and tells each step to screen readers. */
export const Acting = ({ flow, drawn, children }: Props) => {
  const builder = useBuilder();
  const { flows } = useFlowNames();
  const nodes = drawn?.nodes ?? noNodes;
  const [said, setSaid] = useState('');
  const [latest] = useState(() => hold<Now>({ builder, flow, nodes }));
  const [names] = useState(() => hold(flows));
  const [taken] = useState(() => hold<(ref: string | undefined) => void>(focusFirstButton));
  useLayoutEffect(() => {
    latest.set({ builder, flow, nodes });
    names.set(flows);
  });
  const shared = useMemo((): Shared => {
    const say = (text: string): void => {
      // The same words again are told again.
      setSaid((before) => (before === text ? `${text}\u00A0` : text));
    };
    const focus = (ref: string | undefined): void => taken.get()(ref);
    const nameOf = (id: string): string | undefined => names.get().find((one) => one.id === id)?.name;
    return {
      now: latest.get,
      say,
      focus,
      actions: createActions({ now: latest.get, say, focus, nameOf }),
      takeFocus: (take) => {
        taken.set(take);
        return () => {
          if (taken.get() === take) taken.set(focusFirstButton);
        };
      },
    };
  }, [latest, names, taken]);
  return (
    <ActingContext value={shared}>
      {children}
      <div className="builder-said" role="status" aria-live="polite">
        {said}
      </div>
    </ActingContext>
  );
};
