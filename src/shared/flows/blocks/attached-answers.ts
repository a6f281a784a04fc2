import { unreachable } from '../../unreachable.ts';
import { fileParts } from '../templating/files.ts';
import type { ReplyAttachment } from './context.ts';

/** What an ask takes for an answer where it is no text. */
export const attachedExpectations = ['image', 'file', 'location'] as const;

export type AttachedExpectation = (typeof attachedExpectations)[number];

export const isAttached = (expects: string): expects is AttachedExpectation =>
  attachedExpectations.some((one) => one === expects);

/** The first attachment that is such an answer, and what a field holds of it: the id of a file, or latitude and longitude. */
export const findAttached = (
  expects: AttachedExpectation,
  attachments: readonly ReplyAttachment[],
): { attachment: ReplyAttachment; value: string } | undefined => {
  for (const attachment of attachments) {
    const value = valueOf(expects, attachment);
    if (value !== undefined) return { attachment, value };
  }
  return undefined;
};

const valueOf = (expects: AttachedExpectation, attachment: ReplyAttachment): string | undefined => {
  switch (attachment.type) {
    case 'location':
      return expects === 'location' ? `${degrees(attachment.latitude)},${degrees(attachment.longitude)}` : undefined;
    case 'image':
      return expects === 'location' ? undefined : attachment.id;
    case 'file':
    case 'audio':
    case 'video':
      return expects === 'file' ? attachment.id : undefined;
    case 'contact':
      return undefined;
    default:
      return unreachable(attachment);
  }
};

/** To some 10 cm, and never with an exponent. */
const degrees = (value: number): string => String(Number(value.toFixed(6)));

/** The names of templates that such an answer gives a value to; `field` is where it is saved. */
export const attachedNames = (expects: AttachedExpectation, field?: string): readonly string[] =>
  expects === 'location'
    ? ['type', 'latitude', 'longitude'].map((part) => `reply.attachment.${part}`)
    : [
        'reply.attachment.id',
        ...fileParts.flatMap((part) => [
          `reply.attachment.${part}`,
          ...(field === undefined ? [] : [`${field}.${part}`]),
        ]),
      ];
