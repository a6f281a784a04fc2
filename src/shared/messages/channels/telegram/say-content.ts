import { z } from 'zod';

/** The files that a message can have, and how they are called while messages have no attachments. */
const files = {
  photo: '[photo]',
  animation: '[animation]',
  video: '[video]',
  video_note: '[video message]',
  voice: '[voice message]',
  audio: '[audio]',
  document: '[file]',
  sticker: '[sticker]',
  story: '[story]',
  poll: '[poll]',
  dice: '[dice]',
  game: '[game]',
} as const;

const position = z.object({ latitude: z.number(), longitude: z.number() });

const content = z.object({
  text: z.string().optional(),
  caption: z.string().optional(),
  location: position.optional(),
  contact: z.object({ phone_number: z.string(), first_name: z.string(), last_name: z.string().default('') }).optional(),
});

/** What a message says in words. A file without a caption is its name in brackets. Undefined for what Telegram itself says in a chat. */
export const sayContent = (message: Readonly<Record<string, unknown>>): string | undefined => {
  const { data } = content.safeParse(message);
  if (!data) return undefined;
  const { text, caption, location, contact } = data;
  if (text?.trim()) return text;
  if (caption?.trim()) return caption;
  if (location) return `[location] ${location.latitude}, ${location.longitude}`;
  if (contact) return `[contact] ${contact.first_name} ${contact.last_name}`.trimEnd() + ` ${contact.phone_number}`;
  return Object.entries(files).find(([name]) => message[name] !== undefined)?.[1];
};
