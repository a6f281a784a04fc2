import type { KeyboardEvent } from 'react';
import { Panel } from '../panel/panel.tsx';
import { useActing } from './acting-context.ts';
import { useBuilder } from './builder-context.ts';

/** The panel of the selected block. Escape goes back to the block, which stays selected. */
export const Side = () => {
  const { selected } = useBuilder();
  const { focus } = useActing();
  const leave = (event: KeyboardEvent<HTMLElement>): void => {
    const { target, currentTarget } = event;
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    // Lists that are open take the key themselves, and some stand elsewhere in the page.
    if (!(target instanceof Element) || !currentTarget.contains(target)) return;
    if (target.closest('[aria-expanded="true"]')) return;
    focus(selected[0]);
  };
  return (
    // The key is that of whatever has the focus inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside className="builder-side" onKeyDown={leave}>
      <Panel />
    </aside>
  );
};
