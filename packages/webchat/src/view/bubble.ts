import { h, icon } from '../dom.ts';
import type { Bubble } from '../thread/timeline.ts';
import { drawAttachment, imageOf, linkTo, openWhenFresh, type AttachmentOptions } from './attachments.ts';
import { icons } from './icons.ts';
import { splitLinks } from './links.ts';

export type BubbleOptions = AttachmentOptions & {
  retry: (clientId: string) => void;
  discard: (clientId: string) => void;
};

const textOf = (text: string): HTMLElement =>
  h(
    'div',
    { class: 'text', dir: 'auto' },
    ...splitLinks(text).map(({ text, url }) => (url ? linkTo(url, text) : text)),
  );

/** What is said: text, image, files. */
export const drawContent = (bubble: Bubble, options: BubbleOptions): HTMLElement => {
  const { text, imageUrl, attachments } = bubble;
  const parts = [
    imageUrl === null ? undefined : imageOf({ address: imageUrl, label: options.texts.image }, options),
    ...attachments.slice(0, 20).map((attachment, place) => drawAttachment(attachment, place, options)),
    text === '' ? undefined : textOf(text),
  ].filter((part) => part !== undefined);
  const content = h('div', { class: 'bubble' }, h('span', { class: 'unseen' }, `${bubble.name}: `), ...parts);
  content.addEventListener('click', (event) => openWhenFresh(event, options));
  return content;
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
