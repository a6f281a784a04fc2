import type { Builder } from '../builder/builder-context.ts';
import { changeBlock, setFields } from '../edits/blocks.ts';
import { moveInList } from '../edits/order.ts';
import { indexOf, refsOf } from '../edits/refs.ts';
import { words } from './words.ts';

type Deps = {
  now: () => { builder: Builder };
  say: (text: string) => void;
  focus: (ref: string | undefined) => void;
  /** A block as steps tell it. */
  told: (ref: string) => string;
};

/** What is done with blocks without a place on the canvas: their names and their order, and steps back and forth. */
export const createListActions = ({ now, say, focus, told }: Deps) => {
  /** Calls a block so; without a name it is called by its id again. */
  const rename = (ref: string, name: string): void => {
    const label = words.steps.rename(told(ref));
    const called = name.trim() === '' ? undefined : name.trim();
    now().builder.edit({ label }, (definition) =>
      changeBlock(definition, ref, (block) => (block['name'] === called ? block : setFields(block, { name: called }))),
    );
    say(words.said.renamed(called ?? told(ref)));
  };

  /** Moves a block up or down in the list. Wires stay. */
  const shift = (ref: string, by: -1 | 1): void => {
    const { builder } = now();
    const to = indexOf(builder.definition, ref) + by;
    if (refsOf(builder.definition)[to] === undefined) {
      say(words.said.atEnd);
      return;
    }
    const after = moveInList(builder.definition, ref, by);
    builder.edit({ label: words.steps.shift(told(ref)) }, (definition) => moveInList(definition, ref, by));
    const named = refsOf(after)[to] ?? ref;
    if (builder.selected.includes(ref)) builder.select([named]);
    say(words.said.shifted(to + 1));
    focus(named);
  };

  /** Takes a step back or forth. */
  const step = (which: 'undo' | 'redo'): void => {
    const { [which]: one } = now().builder;
    if (!one) return;
    one.run();
    say(which === 'undo' ? words.said.undone(one.label) : words.said.redone(one.label));
    // The block that had the focus may be gone.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) focus(undefined);
    });
  };

  return { rename, shift, step };
};
