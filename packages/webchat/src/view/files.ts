import { h, icon, setAttribute } from '../dom.ts';
import { RequestFailure } from '../live/request-failure.ts';
import type { Attachment, Upload } from '../live/wire.ts';
import { refusalOf } from '../refusals.ts';
import type { Texts } from '../texts.ts';
import { icons } from './icons.ts';
import { sizeOf } from './size-of.ts';

/** What the server takes, so that nothing is sent in vain: files of a message, and the bytes of one. */
const most = { files: 10, bytes: 16 * 1024 * 1024 } as const;

export type Files = {
  /** The button that chooses files, with its hidden field. */
  button: HTMLElement;
  /** The files that go with the next message. */
  list: HTMLElement;
  add: (files: Iterable<File>) => void;
  /** Whether a message may go: nothing is on its way, and nothing was refused. */
  isReady: () => boolean;
  /** Those that are uploaded. */
  uploaded: () => Attachment[];
  clear: () => void;
};

export type FilesOptions = {
  texts: Texts;
  upload: Upload;
  changed: () => void;
};

type Chosen = { uploaded: Attachment | undefined; giving: AbortController };

/** The files of a message: each is uploaded as it is added. */
export const createFiles = ({ texts, upload, changed }: FilesOptions): Files => {
  const input = h('input', { type: 'file', multiple: true, hidden: true, 'aria-label': texts.attach });
  const choose = h('button', { type: 'button', class: 'attach', 'aria-label': texts.attach }, icon(icons.clip));
  const button = h('span', { class: 'attaching' }, choose, input);
  const list = h('ul', { class: 'files', 'aria-label': texts.files, hidden: true });
  const chosen = new Map<HTMLLIElement, Chosen>();

  const show = (): void => {
    list.hidden = chosen.size === 0;
    // It keeps the keyboard, which a disabled one would not.
    setAttribute(choose, 'aria-disabled', chosen.size >= most.files ? 'true' : undefined);
    changed();
  };

  const remove = (item: HTMLLIElement): void => {
    chosen.get(item)?.giving.abort();
    chosen.delete(item);
    item.remove();
    show();
  };

  const begin = async (file: File): Promise<void> => {
    const giving = new AbortController();
    const bar = h('progress', { max: '1', value: '0', 'aria-label': texts.uploading });
    const said = h('span', { class: 'said' }, bar);
    const remover = h('button', { type: 'button', 'aria-label': `${texts.remove}: ${file.name}` }, icon(icons.close));
    const item = h('li', {}, h('bdi', {}, file.name), said, remover);
    const one: Chosen = { uploaded: undefined, giving };
    const fail = (reason: string): void => {
      said.textContent = reason;
      setAttribute(said, 'role', 'alert');
      list.scrollTop = item.offsetTop - list.offsetTop;
    };
    remover.addEventListener('click', () => remove(item));
    chosen.set(item, one);
    list.append(item);
    show();
    if (file.size > most.bytes) return fail(texts.too_large);
    if (file.size === 0) return fail(texts.empty_file);
    try {
      const onProgress = (part: number): void => void (bar.value = part);
      one.uploaded = await upload(file, { signal: giving.signal, onProgress });
      said.textContent = sizeOf(file.size);
    } catch (error) {
      const refusal = error instanceof RequestFailure ? refusalOf(error) : null;
      fail(texts[refusal ?? 'upload_failed']);
    }
    return show();
  };

  const add = (files: Iterable<File>): void => {
    for (const file of files) if (chosen.size < most.files) void begin(file);
  };

  choose.addEventListener('click', () => {
    if (chosen.size < most.files) input.click();
  });
  input.addEventListener('change', () => {
    add(input.files ?? []);
    // The same file can be chosen again.
    input.value = '';
  });

  return {
    button,
    list,
    add,
    isReady: () => [...chosen.values()].every(({ uploaded }) => uploaded),
    uploaded: () => [...chosen.values()].flatMap(({ uploaded }) => uploaded ?? []),
    clear: () => {
      for (const item of chosen.keys()) remove(item);
    },
  };
};
