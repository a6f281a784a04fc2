import { h, icon } from '../dom.ts';
import type { Store } from '../store.ts';
import type { Texts } from '../texts.ts';
import { icons } from './icons.ts';

export type Composer = {
  element: HTMLElement;
  focus: () => void;
  clear: () => void;
};

export type ComposerOptions = {
  texts: Texts;
  mostText: number;
  /** Of this tab: what is not sent yet is there again after a reload. */
  tab: Store;
  /** Answers whether it is on its way. */
  send: (text: string) => boolean;
  typing: (isTyping: boolean) => void;
};

/** Where the visitor writes: Enter sends, Shift+Enter breaks the line. */
export const createComposer = ({ texts, mostText, tab, send, typing }: ComposerOptions): Composer => {
  const field = h('textarea', {
    rows: '1',
    placeholder: texts.placeholder,
    'aria-label': texts.placeholder,
    maxlength: String(mostText),
    enterkeyhint: 'send',
    dir: 'auto',
  });
  const button = h('button', { type: 'submit', class: 'send', 'aria-label': texts.send }, icon(icons.send));
  const note = h('div', { class: 'note', role: 'status' });
  const row = h('div', { class: 'field' }, field, button);
  const element = h('form', { class: 'composer' }, note, row);

  const fit = (): void => {
    // An empty field has the direction of the page, and its placeholder with it.
    field.dir = field.value === '' ? '' : 'auto';
    button.disabled = field.value.trim() === '';
    field.style.height = 'auto';
    field.style.height = `${Math.min(field.scrollHeight, 132)}px`;
  };

  const set = (text: string): void => {
    field.value = text;
    if (text === '') tab.remove('draft');
    else tab.set('draft', text);
    note.textContent = '';
    fit();
  };

  const submit = (): void => {
    const text = field.value.trim();
    if (text === '') return;
    typing(false);
    if (send(text)) set('');
    else note.textContent = texts.full;
  };

  field.addEventListener('input', () => {
    set(field.value);
    typing(field.value.trim() !== '');
  });
  field.addEventListener('blur', () => typing(false));
  field.addEventListener('keydown', (event) => {
    // Enter that chooses a word of an input method sends nothing; Safari ends the composition before the key.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    submit();
  });
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
    field.focus();
  });
  field.value = tab.get('draft') ?? '';
  fit();
  return {
    element,
    focus: () => {
      fit();
      field.focus({ preventScroll: true });
    },
    clear: () => set(''),
  };
};
