import { isObject } from '../../../../../shared/flows/raw-blocks.ts';
import { runStatusWords } from '../../../../words/run-status.ts';
import { sayValue } from '../say.ts';
import { words as phoneWords } from '../words.ts';
import type { Spot } from './expectations.ts';
import { words } from './words.ts';

/** What is expected at a place of a conversation, or came there, in words; `most` is the most characters of a text or value. */
export const sayExpected = (spot: Spot, value: unknown, most?: number): string => {
  switch (spot.type) {
    case 'status':
      return isStatus(value) ? runStatusWords.statuses[value] : sayValue(value, most);
    case 'tags':
      return Array.isArray(value) && value.length > 0 ? value.join(', ') : words.noTags;
    case 'message':
      return spot.part === 'attachments' ? sayFiles(value) || words.noFiles : sayMessage(value, most);
    case 'field':
    case 'simulation':
    default:
      return value === null ? words.nothing : sayValue(value, most);
  }
};

const isStatus = (value: unknown): value is keyof typeof runStatusWords.statuses =>
  typeof value === 'string' && Object.hasOwn(runStatusWords.statuses, value);

/** A message by its text, its image and its files, or one of them alone. */
const sayMessage = (message: unknown, most?: number): string => {
  if (message === null) return words.nothing;
  if (!isObject(message)) return sayValue(message, most);
  const { text = '', image_url: image, attachments } = message;
  const parts = [
    sayValue(text, most),
    ...(typeof image === 'string' ? [`${phoneWords.image}: ${image}`] : []),
    sayFiles(attachments),
  ];
  return parts.filter((part) => part !== '').join(' + ') || words.anyMessage;
};

/** Files as the chat shows them; empty where there is none. */
const sayFiles = (files: unknown): string => (Array.isArray(files) ? files : []).map(sayFile).join(', ');

const sayFile = (file: unknown): string => {
  if (!isObject(file)) return '';
  const { type, name } = file;
  const kind = isKind(type) ? phoneWords.attached[type] : phoneWords.attached.file;
  return typeof name === 'string' ? `${kind}: ${name}` : kind;
};

const isKind = (type: unknown): type is keyof typeof phoneWords.attached =>
  typeof type === 'string' && Object.hasOwn(phoneWords.attached, type);
