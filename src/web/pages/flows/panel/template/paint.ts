import { StateEffect } from '@codemirror/state';
import { Decoration, ViewPlugin, type DecorationSet, type EditorView, type ViewUpdate } from '@codemirror/view';
import { piecesOf } from './pieces.ts';

/** That other names are known by now. */
export const namesChanged = StateEffect.define<unknown>();

const marks = {
  known: Decoration.mark({ class: 'template-known' }),
  unknown: Decoration.mark({ class: 'template-unknown' }),
  broken: Decoration.mark({ class: 'template-broken' }),
};

/** Colours placeholders, and underlines those that name nothing. */
export const paintPlaceholders = (isKnown: (path: string) => boolean) => {
  const paint = ({ state }: EditorView): DecorationSet =>
    Decoration.set(piecesOf(state.doc.toString(), isKnown).map(({ from, to, kind }) => marks[kind].range(from, to)));
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = paint(view);
      }
      update({ view, docChanged, transactions }: ViewUpdate): void {
        const isTold = transactions.some(({ effects }) => effects.some((effect) => effect.is(namesChanged)));
        if (docChanged || isTold) this.decorations = paint(view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
};
