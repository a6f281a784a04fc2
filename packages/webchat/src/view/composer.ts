import { h, icon } from '../dom.ts';
import type { Texts } from '../texts.ts';
import type { Attachment, Upload } from '../live/wire.ts';
import type { Draft } from '../thread/draft.ts';
import { createFiles } from './files.ts';
import { icons } from './icons.ts';

export type Composer = {
  element: HTMLElement;
  focus: () => void;
  clear: () => void;
  /** Offers to send files, or no more. */
  letAttach: (may: boolean) => void;
  /** Takes files that are dropped on an element. */
  takeDropped: (on: HTMLElement) => void;
};

export type ComposerOptions = {
  texts: Texts;
  mostText: number;
  /** What is not sent yet is there again after a reload. */
  draft: Draft;
  /** Answers whether it is on its way. */
  send: (text: string, files: Attachment[]) => boolean;
  upload: Upload;
  typing: (isTyping: boolean) => void;
};

/** Where the visitor writes: Enter sends, Shift+Enter breaks the line. */
export const createComposer = ({ texts, mostText, draft, send, upload, typing }: ComposerOptions): Composer => {
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
  const files = createFiles({ texts, upload, changed: () => fit() });
  const row = h('div', { class: 'field' }, files.button, field, button);
  const element = h('form', { class: 'composer' }, note, files.list, row);
  let mayAttach = false;

  const isReady = (): boolean => files.isReady() && (field.value.trim() !== '' || files.uploaded().length > 0);

  const attach = (given: FileList | undefined, event: Event): void => {
    if (!mayAttach || !given || given.length === 0) return;
    event.preventDefault();
    files.add(given);
  };

  const fit = (): void => {
    // An empty field has the direction of the page, and its placeholder with it.
    field.dir = field.value === '' ? '' : 'auto';
    button.disabled = !isReady();
    field.style.height = 'auto';
    field.style.height = `${Math.min(field.scrollHeight, 132)}px`;
  };

  const set = (text: string): void => {
    field.value = text;
    draft.write(text);
    note.textContent = '';
    fit();
  };

  const submit = (): void => {
    const text = field.value.trim();
    if (!isReady()) return;
    typing(false);
    if (send(text, files.uploaded())) {
      files.clear();
      set('');
    } else note.textContent = texts.full;
  };

  field.addEventListener('input', () => {
    set(field.value);
    typing(field.value.trim() !== '');
  });
  field.addEventListener('paste', (event) => attach(event.clipboardData?.files, event));
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
  field.value = draft.read();
  fit();
  return {
    element,
    focus: () => {
      fit();
      field.focus({ preventScroll: true });
    },
    clear: () => {
      files.clear();
      set('');
    },
    letAttach: (may) => {
      mayAttach = may;
      files.button.hidden = !may;
    },
    takeDropped: (on) => {
      on.addEventListener('dragover', (event) => {
        if (mayAttach && event.dataTransfer?.types.includes('Files')) event.preventDefault();
      });
      on.addEventListener('drop', (event) => attach(event.dataTransfer?.files, event));
    },
  };
};
