import type { KeyboardEvent } from 'react';
import type { Acting } from '../builder/acting-context.ts';
import { startId } from '../builder/builder-context.ts';
import { refOf } from '../drawing/read-flow.ts';
import type { Acts } from './acts.ts';

type Deps = { acting: Acting; acts: Acts; search: () => void; help: () => void };

type Key = Pick<KeyboardEvent, 'shiftKey'>;

/** What keys do in the list, with the block that has the focus. */
export const createListKeys = ({ acting: { now, actions, focus }, acts, search, help }: Deps) => {
  const goTo = (at: (place: number, last: number) => number) => (ref: string) => {
    const refs = [startId, ...now().flow.blocks.map(refOf)];
    focus(refs[Math.max(0, Math.min(refs.length - 1, at(refs.indexOf(ref), refs.length - 1)))]);
  };

  const withCtrl: Readonly<Record<string, (ref: string, key: Key) => void>> = {
    z: (_, { shiftKey }) => actions.step(shiftKey ? 'redo' : 'undo'),
    y: () => actions.step('redo'),
    f: () => search(),
    d: acts.duplicate,
  };

  const withAlt: Readonly<Record<string, (ref: string) => void>> = { ArrowUp: acts.up, ArrowDown: acts.down };

  const plain: Readonly<Record<string, (ref: string) => void>> = {
    ArrowUp: goTo((place) => place - 1),
    ArrowDown: goTo((place) => place + 1),
    Home: goTo(() => 0),
    End: goTo((_, last) => last),
    a: acts.addAfter,
    b: acts.addBefore,
    c: acts.connect,
    F2: acts.rename,
    Delete: acts.remove,
    Backspace: acts.remove,
    Escape: (ref) => {
      now().builder.select([]);
      focus(ref);
    },
    '?': () => help(),
  };

  /** Answers whether the key does something here. */
  return (event: KeyboardEvent, ref: string): boolean => {
    const { key, altKey, ctrlKey, metaKey } = event;
    const name = key.length === 1 ? key.toLowerCase() : key;
    const does = ctrlKey || metaKey ? withCtrl[name] : altKey ? withAlt[name] : plain[name];
    if (!does) return false;
    // The start is neither moved nor named, and stays.
    const isOfBlock = does === acts.up || does === acts.down || does === acts.rename || does === acts.remove;
    if (ref !== startId || !(isOfBlock || does === acts.addBefore || does === acts.duplicate)) does(ref, event);
    return true;
  };
};
