import { Prec } from '@codemirror/state';
import {
  Decoration,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  type DecorationSet,
  type ViewUpdate,
} from '@codemirror/view';

const mark = (kind: string) => Decoration.mark({ class: `json-${kind}` });

const marks = { name: mark('name'), text: mark('text'), value: mark('value') };

/** JSON has no text over several lines: what a piece of it is can be seen by itself. */
const pieces = new MatchDecorator({
  regexp: /"(?:[^"\\]|\\.)*"(\s*:)?|\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g,
  decoration: ([text, colon]) => (colon !== undefined ? marks.name : text.startsWith('"') ? marks.text : marks.value),
});

const colours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = pieces.createDeco(view);
    }
    update(update: ViewUpdate): void {
      this.decorations = pieces.updateDeco(update, this.decorations);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

const theme = EditorView.theme({
  '&': {
    height: '100%',
    fontSize: 'var(--mantine-font-size-sm)',
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
  },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    backgroundColor: 'light-dark(#f4f6f8, #1f2326)',
    color: 'var(--mantine-color-dimmed)',
    borderRightColor: 'var(--mantine-color-default-border)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'light-dark(#0b72850d, #ffffff0d)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'light-dark(#b9dde5, #27505a)',
  },
  '.cm-panels, .cm-tooltip': {
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
    borderColor: 'var(--mantine-color-default-border)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    maxWidth: 'min(560px, 90vw)',
    maxHeight: 'min(30rem, 60vh)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 8px' },
  // The whole description of the chosen one.
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { whiteSpace: 'normal' },
  '.cm-completionIcon': { display: 'none' },
  '.cm-completionDetail': { fontFamily: 'var(--mantine-font-family)', fontStyle: 'normal' },
  '.cm-textfield': { backgroundColor: 'var(--mantine-color-body)', color: 'var(--mantine-color-text)' },
  '.cm-button': { backgroundImage: 'none', backgroundColor: 'var(--mantine-color-default)', color: 'inherit' },
  '.cm-foldPlaceholder': { backgroundColor: 'transparent', color: 'inherit' },
});

/** The colours of JSON, in light and dark. */
export const jsonColours = [
  Prec.highest(colours),
  EditorView.theme({
    '.json-name, .json-name *': { color: 'light-dark(#0b5566, #7fd3e2)' },
    '.json-text, .json-text *': { color: 'light-dark(#05573e, #8ce9c4)' },
    '.json-value, .json-value *': { color: 'light-dark(#8a3d00, #ffc38a)' },
  }),
];

/** How the editor looks, in light and dark. */
export const editorLook = [theme, jsonColours];
