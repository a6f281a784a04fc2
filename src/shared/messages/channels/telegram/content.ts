import { z } from 'zod';
import type { GivenMessage, RemoteFile } from '../kind.ts';

const file = z.object({
  file_id: z.string().min(1).max(500),
  file_size: z.number().optional(),
  file_name: z.string().max(1_000).optional(),
});

const position = z.object({ latitude: z.number(), longitude: z.number() });

const content = z.object({
  text: z.string().optional(),
  caption: z.string().optional(),
  location: position.optional(),
  contact: z.object({ phone_number: z.string(), first_name: z.string(), last_name: z.string().default('') }).optional(),
});

/** The files that a message can have: their names where they have none, and what stands in the text for one that cannot be had. */
const files = {
  animation: ['animation.mp4', '[animation]'],
  video: ['video.mp4', '[video]'],
  video_note: ['video-message.mp4', '[video message]'],
  voice: ['voice-message.ogg', '[voice message]'],
  audio: ['audio.mp3', '[audio]'],
  document: ['file', '[file]'],
} as const;

/** How a message is called that has neither text nor a file that can be read. */
const words: Readonly<Record<string, string>> = {
  sticker: '[sticker]',
  story: '[story]',
  poll: '[poll]',
  dice: '[dice]',
  game: '[game]',
  photo: '[photo]',
  ...Object.fromEntries(Object.entries(files).map(([name, [, instead]]) => [name, instead])),
};

type Content = Pick<GivenMessage, 'attachments'> & { text: string; files: readonly RemoteFile[] };

/** What a message says and has. Undefined for what Telegram itself says in a chat. */
export const readContent = (message: Readonly<Record<string, unknown>>): Content | undefined => {
  const { data } = content.safeParse(message);
  if (!data) return undefined;
  const { text = data.caption ?? '', location, contact } = data;
  const found = findFile(message);
  if (found) return { text, files: [found] };
  if (location) {
    const { latitude, longitude } = location;
    return { text, attachments: [{ type: 'location', latitude, longitude }], files: [] };
  }
  if (contact) {
    const name = `${contact.first_name} ${contact.last_name}`.trim().slice(0, 255);
    return { text, attachments: [{ type: 'contact', name, phone: contact.phone_number.slice(0, 64) }], files: [] };
  }
  if (text.trim() !== '') return { text, files: [] };
  const said = Object.entries(words).find(([name]) => message[name] !== undefined)?.[1];
  return said === undefined ? undefined : { text: said, files: [] };
};

/** An animation is a document as well, for clients that know none. Of a photo there are several sizes, the largest last. */
const findFile = (message: Readonly<Record<string, unknown>>): RemoteFile | undefined => {
  const { data: sizes } = z.array(file).safeParse(message['photo']);
  const photo = sizes?.at(-1);
  if (photo) return asRemote(photo, ['photo.jpg', '[photo]']);
  for (const [kind, named] of Object.entries(files)) {
    const { data } = file.safeParse(message[kind]);
    if (data) return asRemote(data, named);
  }
  return undefined;
};

const asRemote = (
  { file_id: ref, file_size: bytes, file_name: given }: z.output<typeof file>,
  [name, instead]: readonly [name: string, instead: string],
): RemoteFile => ({ ref, name: given ?? name, bytes, instead: given === undefined ? instead : `${instead} ${given}` });
