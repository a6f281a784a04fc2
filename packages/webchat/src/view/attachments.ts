import { h, icon } from '../dom.ts';
import type { Attachment } from '../live/wire.ts';
import type { Texts } from '../texts.ts';
import type { FreshLinks } from '../thread/fresh-links.ts';
import { icons } from './icons.ts';
import { safeUrl } from './links.ts';
import { sizeOf } from './size-of.ts';

export type AttachmentOptions = {
  texts: Texts;
  /** What addresses of attachments stand below. */
  base: string;
  renewLinks: FreshLinks['renew'];
};

/** Sites from which this page has loaded nothing of a kind, only failed to: what they have is a link from then on. */
const unloadable = new Set<string>();
const loadable = new Set<string>();

/** A link that opens another tab. */
export const linkTo = (url: string, ...children: (Node | string)[]): HTMLAnchorElement =>
  h('a', { href: url, target: '_blank', rel: 'noopener noreferrer nofollow' }, ...children);

const fileLink = (url: string, label: string, kind: 'file' | 'image'): HTMLAnchorElement => {
  const link = linkTo(url, icon(icons[kind]), h('span', { dir: 'auto' }, label));
  link.className = 'file';
  return link;
};

type Loading = { from: string; when: string; link: () => HTMLElement };

/** Has the link stand in the place of what does not load, as under a site's policy that has files of its own alone. */
const orLink = (element: HTMLElement, { from, when, link }: Loading, { renewLinks }: AttachmentOptions): void => {
  const loaded = element.firstElementChild ?? element;
  loaded.addEventListener(when, () => loadable.add(from));
  loaded.addEventListener('error', () => {
    // A link that has expired says nothing of the site's other files.
    if (!loadable.has(from)) unloadable.add(from);
    const standing = link();
    const { place } = element.dataset;
    // A picture from elsewhere gets no other link.
    if (place !== undefined) Object.assign(standing.dataset, { place, failed: '' });
    element.replaceWith(standing);
    void renewLinks({ hasFailed: loadable.has(from) });
  });
};

type Image = { address: string; thumbnail?: string | null; label: string };

/** The image, or a small one, in a link to it. */
export const imageOf = (
  { address, thumbnail, label }: Image,
  options: AttachmentOptions,
): HTMLAnchorElement | undefined => {
  const { texts, base } = options;
  const url = safeUrl(address, base);
  if (!url) return undefined;
  const src = safeUrl(thumbnail ?? address, base) ?? url;
  const from = `image ${new URL(src).origin}`;
  if (unloadable.has(from)) return fileLink(url, texts.open_image, 'image');
  const image = linkTo(url, h('img', { src, alt: label, referrerpolicy: 'no-referrer', decoding: 'async' }));
  image.className = 'image';
  orLink(image, { from, when: 'load', link: () => fileLink(image.href, texts.open_image, 'image') }, options);
  return image;
};

/** A player of a recording. */
const soundOf = (url: string, label: string, options: AttachmentOptions): HTMLElement => {
  const from = `audio ${new URL(url).origin}`;
  if (unloadable.has(from)) return fileLink(url, label, 'file');
  const player = h('audio', { src: url, controls: true, preload: 'metadata', 'aria-label': label });
  orLink(player, { from, when: 'loadedmetadata', link: () => fileLink(player.src, label, 'file') }, options);
  return player;
};

const drawOne = (attachment: Attachment, options: AttachmentOptions): HTMLElement | undefined => {
  const { type, name, size, url, thumbnail, detail } = attachment;
  if (type === 'image' && url !== null)
    return imageOf({ address: url, thumbnail, label: name || options.texts.image }, options);
  const safe = url === null ? undefined : safeUrl(url, options.base);
  const label = [name || detail || options.texts.file, sizeOf(size)].filter((text) => text !== '').join(' · ');
  if (safe && type === 'audio') return soundOf(safe, label, options);
  if (safe) return fileLink(safe, label, 'file');
  return h('div', { class: 'text', dir: 'auto' }, [name, detail].filter((text) => text !== '').join(' ') || label);
};

/** An attachment by its place in its message. Somebody who opens one whose link has expired waits until it is renewed. */
export const drawAttachment = (
  attachment: Attachment,
  place: number,
  options: AttachmentOptions,
): HTMLElement | undefined => {
  const element = drawOne(attachment, options);
  if (!element) return undefined;
  element.dataset['place'] = String(place);
  return element;
};

/** Opens a link of a file when it holds again, where it may have expired. */
export const openWhenFresh = (event: Event, { renewLinks }: AttachmentOptions): void => {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-place]') : null;
  const renewing = link && renewLinks();
  if (!renewing) return;
  event.preventDefault();
  // The new link is drawn in the next frame, before this.
  void renewing.then(() => requestAnimationFrame(() => link.click()));
};

/** A recording goes on while it is played: it gets its link where it stops. */
const relinkSound = (player: HTMLAudioElement, url: string): void => {
  const set = (): void => {
    const { currentTime, ended } = player;
    player.src = url;
    if (currentTime > 0 && !ended) player.currentTime = currentTime;
  };
  if (player.paused) set();
  else player.addEventListener('pause', set, { once: true });
};

/** Gives links to drawn attachments; nothing that is shown loads again. Answers whether that is all: what has failed to load is to be drawn anew. */
export const relink = (
  content: HTMLElement,
  attachments: readonly Attachment[],
  { base }: Pick<AttachmentOptions, 'base'>,
): boolean => {
  for (const element of content.querySelectorAll<HTMLElement>('[data-place]')) {
    const url = safeUrl(attachments[Number(element.dataset['place'])]?.url ?? '', base);
    if (url && element instanceof HTMLAnchorElement) element.href = url;
    else if (url && element instanceof HTMLAudioElement && element.src !== url) relinkSound(element, url);
  }
  return !content.querySelector('[data-failed]');
};
