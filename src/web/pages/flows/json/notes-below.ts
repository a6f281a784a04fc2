import { setDiagnosticsEffect, type Diagnostic } from '@codemirror/lint';
import { StateField, type EditorState } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view';

/** The most problems that are told within the text; the list beside it has all. */
const mostTold = 50;

class Note extends WidgetType {
  readonly severity: string;
  readonly message: string;

  constructor({ severity, message }: Diagnostic) {
    super();
    this.severity = severity;
    this.message = message;
  }

  override eq(other: Note): boolean {
    return other.severity === this.severity && other.message === this.message;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('div');
    element.className = 'json-note';
    element.dataset['severity'] = this.severity;
    element.textContent = this.message;
    return element;
  }
}

const notesOf = (state: EditorState, diagnostics: readonly Diagnostic[]): DecorationSet =>
  Decoration.set(
    diagnostics.slice(0, mostTold).map((found) => {
      const line = state.doc.lineAt(Math.min(found.from, state.doc.length));
      return Decoration.widget({ widget: new Note(found), block: true, side: 1 }).range(line.to);
    }),
    true,
  );

/** Tells each problem below the line of its value. */
export const notesBelow = [
  StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update: (notes, transaction) => {
      const set = transaction.effects.find((effect) => effect.is(setDiagnosticsEffect));
      return set ? notesOf(transaction.state, set.value) : notes.map(transaction.changes);
    },
    provide: (field) => EditorView.decorations.from(field),
  }),
  EditorView.theme({
    '.json-note': { padding: '0 6px', whiteSpace: 'pre-wrap', fontFamily: 'var(--mantine-font-family)' },
    '.json-note[data-severity=error]': { color: 'var(--mantine-color-error)' },
    '.json-note[data-severity=warning]': { color: 'light-dark(#6b4300, #ffd97a)' },
  }),
];
