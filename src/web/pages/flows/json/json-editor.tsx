import type { CompletionSource } from '@codemirror/autocomplete';
import { historyField } from '@codemirror/commands';
import { json, jsonLanguage } from '@codemirror/lang-json';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorState, Transaction } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { Paper } from '@mantine/core';
import { basicSetup } from 'codemirror';
import { useEffect, useImperativeHandle, useRef, type Ref, type RefObject } from 'react';
import { styleNonce } from '../../../nonce.ts';
import { editorLook } from './editor-look.ts';
import { notesBelow } from './notes-below.ts';
import type { Place } from './places.ts';

/** What others do with the editor. */
export type EditorHandle = { goTo: (place: Place) => void };

type Props = {
  value: string;
  /** Left out for a text that is only read. */
  onChange?: (text: string) => void;
  /** What is wrong, and where. */
  diagnostics?: readonly Diagnostic[];
  label: string;
  height?: string;
  ref?: Ref<EditorHandle>;
  /** Keeps what can be undone until the editor is opened again. */
  kept?: RefObject<unknown>;
  /** What is proposed while one types; always the same function. */
  complete?: CompletionSource;
  /** What Ctrl+S does, ⌘S on a Mac. */
  onSave?: () => void;
  /** What Ctrl+Z and Ctrl+Y do; where it answers false, the editor takes back what was typed into it. */
  onTurn?: (how: 'undo' | 'redo') => boolean;
};

const withHistory = { history: historyField };

/** Shows another text, and leaves alone what is the same before and after the change: the cursor stays where it is. */
const put = (view: EditorView, text: string): void => {
  const now = view.state.doc.toString();
  const most = Math.min(now.length, text.length);
  let from = 0;
  while (from < most && now[from] === text[from]) from += 1;
  let tail = 0;
  while (tail < most - from && now[now.length - 1 - tail] === text[text.length - 1 - tail]) tail += 1;
  view.dispatch({
    changes: { from, to: now.length - tail, insert: text.slice(from, text.length - tail) },
    // The draft's own undo has it.
    annotations: Transaction.addToHistory.of(false),
  });
};

/** JSON with line numbers, search and folding. Tab leaves it, as it leaves any field. */
export const JsonEditor = (props: Props) => {
  const { value, onChange, diagnostics = [], label, height = '65vh', ref, kept, complete, onSave, onTurn } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef({ value, onChange, onSave, onTurn });
  const isReadOnly = onChange === undefined;
  useEffect(() => {
    latest.current = { value, onChange, onSave, onTurn };
  });

  useEffect(() => {
    if (!place.current) return undefined;
    const config = {
      extensions: [
        keymap.of([
          {
            key: 'Mod-s',
            preventDefault: true,
            run: () => {
              latest.current.onSave?.();
              return true;
            },
          },
          { key: 'Mod-z', run: () => latest.current.onTurn?.('undo') ?? false },
          ...['Mod-y', 'Mod-Shift-z'].map((key) => ({ key, run: () => latest.current.onTurn?.('redo') ?? false })),
        ]),
        notesBelow,
        basicSetup,
        json(),
        complete ? jsonLanguage.data.of({ autocomplete: complete }) : [],
        lintGutter(),
        editorLook,
        EditorView.lineWrapping,
        EditorView.cspNonce.of(styleNonce()),
        // What is long is scrolled by keyboard, too, also where it is only read.
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        EditorState.readOnly.of(isReadOnly),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (!docChanged) return;
          const text = state.doc.toString();
          if (text !== latest.current.value) latest.current.onChange?.(text);
        }),
      ],
    };
    const doc = latest.current.value;
    const before = kept?.current;
    const state = before ? EditorState.fromJSON(before, config, withHistory) : EditorState.create({ doc, ...config });
    const created = new EditorView({ parent: place.current, state });
    if (state.doc.toString() !== doc) put(created, doc);
    view.current = created;
    return () => {
      if (kept) kept.current = created.state.toJSON(withHistory);
      created.destroy();
    };
  }, [label, isReadOnly, kept, complete]);

  useEffect(() => {
    const { current } = view;
    if (!current || current.state.doc.toString() === value) return;
    put(current, value);
  }, [value]);

  useEffect(() => {
    const { current } = view;
    if (!current) return;
    const { length } = current.state.doc;
    const within = diagnostics.map((found) => ({
      ...found,
      from: Math.min(found.from, length),
      to: Math.min(found.to, length),
    }));
    current.dispatch(setDiagnostics(current.state, within));
  }, [diagnostics]);

  useImperativeHandle(ref, () => ({
    goTo: ({ from, to }) => {
      const { current } = view;
      if (!current) return;
      const { length } = current.state.doc;
      current.dispatch({
        selection: { anchor: Math.min(from, length), head: Math.min(to, length) },
        effects: EditorView.scrollIntoView(Math.min(from, length), { y: 'center' }),
      });
      current.focus();
    },
  }));

  return <Paper withBorder ref={place} style={{ height, minHeight: 280, overflow: 'hidden' }} />;
};
