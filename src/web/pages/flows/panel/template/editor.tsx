import { autocompletion, startCompletion } from '@codemirror/autocomplete';
import { defaultKeymap } from '@codemirror/commands';
import { Annotation, Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap, placeholder as placeholderOf } from '@codemirror/view';
import { use, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { styleNonce } from '../../../../nonce.ts';
import { BuilderContext } from '../../builder/builder-context.ts';
import { jsonColours } from '../../json/editor-look.ts';
import { NamesContext } from './names-context.tsx';
import { namesChanged, paintPlaceholders } from './paint.ts';
import { completeTemplate } from './source.ts';

/** What a template's editor is to its readers. */
type EditorAttributes = { labelledBy: string; describedBy: string | undefined; isInvalid: boolean };

export type TemplateEditorProps = {
  value: string;
  onChange: (value: string) => void;
  isMultiline: boolean;
  placeholder: string | undefined;
  takesCredentials: boolean;
  /** Whether names, texts and other values of JSON have their colours. */
  isJson: boolean;
  attributes: EditorAttributes;
  /** Where the cursor was in what stood in its place, which had the focus. */
  selection: { anchor: number; head: number } | undefined;
  /** Gets a function that opens the list of what can be inserted. */
  onReady: (open: () => void) => void;
};

/** A change that comes from elsewhere, and is not told back. */
const fromOutside = Annotation.define<true>();

const withoutReturns = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

/** What is written into a field of one line has none; what the field has had from elsewhere stays. */
const oneLine = EditorState.transactionFilter.of((transaction) => {
  if (!transaction.isUserEvent('input') || !transaction.docChanged) return transaction;
  const changes: { from: number; to: number; insert: string }[] = [];
  let hasBreak = false;
  transaction.changes.iterChanges((from, to, _from, _to, inserted) => {
    const text = inserted.toString();
    hasBreak ||= text.includes('\n');
    changes.push({ from, to, insert: text.replaceAll('\n', ' ') });
  });
  if (!hasBreak) return transaction;
  return { changes, ...(transaction.selection && { selection: transaction.selection }), userEvent: 'input' };
});

const tellAttributes = ({ labelledBy, describedBy, isInvalid }: EditorAttributes, isMultiline: boolean) =>
  EditorView.contentAttributes.of({
    'aria-labelledby': labelledBy,
    'aria-multiline': String(isMultiline),
    ...(describedBy !== undefined && { 'aria-describedby': describedBy }),
    ...(isInvalid && { 'aria-invalid': 'true' }),
  });

/** The editor of a template. Undo is the draft's own, so that it is the same in every field. */
export const TemplateEditor = (props: TemplateEditorProps) => {
  const { value, isMultiline, placeholder, takesCredentials, isJson, attributes } = props;
  const names = use(NamesContext);
  const builder = use(BuilderContext);
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const [shown] = useState(() => new Compartment());
  const latest = useRef({ ...props, names, builder });
  useEffect(() => {
    latest.current = { ...props, names, builder };
  });

  // It takes the focus before the next key comes, which would be lost otherwise.
  useLayoutEffect(() => {
    if (!place.current) return undefined;
    const { current: begun } = latest;
    const does = (change: 'undo' | 'redo') => () => {
      latest.current.builder?.[change]?.run();
      return true;
    };
    const created = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: begun.value,
        ...(begun.selection && {
          selection: {
            anchor: Math.min(begun.selection.anchor, withoutReturns(begun.value).length),
            head: Math.min(begun.selection.head, withoutReturns(begun.value).length),
          },
        }),
        extensions: [
          keymap.of([
            { key: 'Mod-z', run: does('undo'), stopPropagation: true, preventDefault: true },
            { key: 'Mod-y', mac: 'Mod-Shift-z', run: does('redo'), stopPropagation: true, preventDefault: true },
            { linux: 'Ctrl-Shift-z', run: does('redo'), stopPropagation: true, preventDefault: true },
          ]),
          autocompletion({
            override: [completeTemplate(() => latest.current.names.list({ takesCredentials }))],
            icons: false,
            // Who types fast has chosen already.
            interactionDelay: 0,
            maxRenderedOptions: 60,
          }),
          isMultiline ? [] : [keymap.of([{ key: 'Enter', run: () => true }]), oneLine],
          keymap.of(defaultKeymap),
          EditorView.lineWrapping,
          EditorView.cspNonce.of(styleNonce()),
          isJson ? jsonColours : [],
          paintPlaceholders((path) => latest.current.names.isKnown(path)),
          placeholder === undefined ? [] : placeholderOf(placeholder),
          shown.of(tellAttributes(begun.attributes, isMultiline)),
          EditorView.updateListener.of(({ docChanged, state, transactions }) => {
            if (!docChanged || transactions.some((change) => change.annotation(fromOutside))) return;
            latest.current.onChange(state.doc.toString());
          }),
        ],
      }),
    });
    view.current = created;
    if (begun.selection) created.focus();
    begun.onReady(() => {
      created.focus();
      startCompletion(created);
    });
    return () => created.destroy();
  }, [isMultiline, placeholder, takesCredentials, isJson, shown]);

  const { labelledBy, describedBy, isInvalid } = attributes;
  useEffect(() => {
    const has = tellAttributes({ labelledBy, describedBy, isInvalid }, isMultiline);
    view.current?.dispatch({ effects: shown.reconfigure(has) });
  }, [labelledBy, describedBy, isInvalid, isMultiline, shown]);

  useEffect(() => {
    const { current } = view;
    const text = withoutReturns(value);
    if (!current || current.state.doc.toString() === text) return;
    current.dispatch({
      changes: { from: 0, to: current.state.doc.length, insert: text },
      annotations: fromOutside.of(true),
    });
  }, [value]);

  useEffect(() => {
    view.current?.dispatch({ effects: namesChanged.of(names) });
  }, [names]);

  return <div ref={place} className="template-editor" />;
};
