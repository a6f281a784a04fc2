import { h, icon } from '../dom.ts';
import type { Attachment } from '../live/wire.ts';
import type { Texts } from '../texts.ts';
import type { Bubble } from '../thread/timeline.ts';
import { icons } from './icons.ts';
import { safeUrl, splitLinks } from './links.ts';
import { sizeOf } from './size-of.ts';

export type BubbleOptions = {
  texts: Texts;
  /** What addresses of attachments stand below. */
  base: string;
  retry: (clientId: string) => void;
  discard: (clientId: string) => void;
};

/** Sites from which this page has loaded nothing of a kind, only failed to: what they have is a link from then on. */
const unloadable = new Set<string>();
const loadable = new Set<string>();

/** Has the link stand in the place of what does not load, as under a site's policy that has files of its own alone. */
const orLink = (element: HTMLElement, { from, when, link }: { from: string; when: string; link: () => Node }): void => {
  const loaded = element.firstElementChild ?? element;
  loaded.addEventListener(when, () => loadable.add(from));
  loaded.addEventListener('error', () => {
    // A link that has expired says nothing of the site's other files.
    if (!loadable.has(from)) unloadable.add(from);
    element.replaceWith(link());
  });
};

const linkTo = (url: string, ...children: (Node | string)[]): HTMLAnchorElement =>
  h('a', { href: url, target: '_blank', rel: 'noopener noreferrer nofollow' }, ...children);

const textOf = (text: string): HTMLElement =>
  h(
    'div',
    { class: 'text', dir: 'auto' },
    ...splitLinks(text).map(({ text, url }) => (url ? linkTo(url, text) : text)),
  );

const fileLink = (url: string, label: string, kind: 'file' | 'image'): HTMLAnchorElement => {
  const link = linkTo(url, icon(icons[kind]), h('span', { dir: 'auto' }, label));
  link.className = 'file';
  return link;
};

type Image = { address: string; thumbnail?: string | null; label: string };

/** The image, or a small one, in a link to it. */
const imageOf = ({ address, thumbnail, label }: Image, { texts, base }: BubbleOptions): HTMLElement | undefined => {
  const url = safeUrl(address, base);
  if (!url) return undefined;
  const src = safeUrl(thumbnail ?? address, base) ?? url;
  const from = `image ${new URL(src).origin}`;
  const link = (): HTMLAnchorElement => fileLink(url, texts.open_image, 'image');
  if (unloadable.has(from)) return link();
  const image = linkTo(url, h('img', { src, alt: label, referrerpolicy: 'no-referrer', decoding: 'async' }));
  image.className = 'image';
  orLink(image, { from, when: 'load', link });
  return image;
};

/** A player of a recording. */
const soundOf = (url: string, label: string): HTMLElement => {
  const from = `audio ${new URL(url).origin}`;
  const link = (): HTMLAnchorElement => fileLink(url, label, 'file');
  if (unloadable.has(from)) return link();
  const player = h('audio', { src: url, controls: true, preload: 'metadata', 'aria-label': label });
  orLink(player, { from, when: 'loadedmetadata', link });
  return player;
};

const attachmentOf = (attachment: Attachment, options: BubbleOptions): HTMLElement | undefined => {
  const { type, name, size, url, thumbnail, detail } = attachment;
  if (type === 'image' && url !== null)
    return imageOf({ address: url, thumbnail, label: name || options.texts.image }, options);
  const safe = url === null ? undefined : safeUrl(url, options.base);
  const label = [name || detail || options.texts.file, sizeOf(size)].filter((text) => text !== '').join(' · ');
  if (safe && type === 'audio') return soundOf(safe, label);
  if (safe) return fileLink(safe, label, 'file');
  return h('div', { class: 'text', dir: 'auto' }, [name, detail].filter((text) => text !== '').join(' ') || label);
};

/** What is said: text, image, files. */
export const drawContent = (bubble: Bubble, options: BubbleOptions): HTMLElement => {
  const { text, imageUrl, attachments } = bubble;
  const parts = [
    imageUrl === null ? undefined : imageOf({ address: imageUrl, label: options.texts.image }, options),
    ...attachments.slice(0, 20).map((attachment) => attachmentOf(attachment, options)),
    text === '' ? undefined : textOf(text),
  ].filter((part) => part !== undefined);
  return h('div', { class: 'bubble' }, h('span', { class: 'unseen' }, `${bubble.name}: `), ...parts);
};

const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/);
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : ''];
  return [first, last]
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 32))
    .join('')
    .trim()
    .toLocaleUpperCase();
};

/** Who says it. */
export const drawAvatar = ({ author, name }: Bubble): HTMLElement =>
  h('div', { class: `avatar ${author}`, 'aria-hidden': 'true' }, author === 'bot' ? icon(icons.bot) : initialsOf(name));

const button = (label: string, work: () => void): HTMLButtonElement => {
  const element = h('button', { type: 'button', class: 'word' }, label);
  element.addEventListener('click', work);
  return element;
};

/** When it was said, and what has become of it. */
export const drawMeta = (bubble: Bubble, { texts, retry, discard }: BubbleOptions): HTMLElement => {
  const { status, clientId, reason, time, dateTime, isLast } = bubble;
  if (status === 'failed' && clientId !== null) {
    const said = h('span', { class: 'failure' }, icon(icons.alert), reason ?? texts.failed);
    return h(
      'div',
      { class: 'meta' },
      said,
      button(texts.retry, () => retry(clientId)),
      button(texts.remove, () => discard(clientId)),
    );
  }
  const shown = isLast || status !== '';
  const parts: (Node | string)[] = [];
  if (shown && time !== '' && status !== 'sending') parts.push(h('time', { datetime: dateTime }, time));
  if (status !== '') parts.push(`${parts.length > 0 ? ' · ' : ''}${texts[status]}`);
  return h('div', { class: 'meta', hidden: parts.length === 0 }, ...parts);
};
