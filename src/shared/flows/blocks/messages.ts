import { renderText } from '../templating/render.ts';
import { findByLink } from '../templating/files.ts';
import type { Scope } from '../templating/scope.ts';
import type { OutboundMessage, TemplateUse } from './block.ts';
import { messageLimits } from './message-limits.ts';

/** A message of a definition, its texts with placeholders. */
export type MessageTemplate = {
  text: string;
  image_url?: string | undefined;
  quick_replies?: readonly string[] | undefined;
};

export type Composed = { ok: true; messages: readonly OutboundMessage[] } | { ok: false; reason: string };

/** Renders messages for a contact. One that nobody could read makes the block fail instead, with a reason for operators. */
export const composeMessages = (templates: readonly MessageTemplate[], scope: Scope): Composed => {
  const messages: OutboundMessage[] = [];
  for (const template of templates) {
    const message = compose(template, scope);
    if (typeof message === 'string') return { ok: false, reason: message };
    messages.push(message);
  }
  return { ok: true, messages };
};

/** The templates of messages, for checks of a definition. */
export const templatesOf = (messages: readonly MessageTemplate[], path: string): TemplateUse[] =>
  messages.flatMap(({ text, image_url: image, quick_replies: replies }, index) => [
    { path: `${path}.${index}.text`, template: text, place: 'text' },
    ...(image === undefined ? [] : [{ path: `${path}.${index}.image_url`, template: image, place: 'text' as const }]),
    ...(replies ?? []).map((reply, number) => ({
      path: `${path}.${index}.quick_replies.${number}`,
      template: reply,
      place: 'text' as const,
    })),
  ]);

const compose = (template: MessageTemplate, scope: Scope): OutboundMessage | string => {
  const text = renderText(template.text, scope);
  if (!text.ok) return text.problem.code === 'too_long' ? 'message_too_long' : 'invalid_template';
  if (text.text.trim() === '') return 'empty_message';
  if (text.text.length > messageLimits.text) return 'message_too_long';
  const image = template.image_url === undefined ? undefined : renderText(template.image_url, scope);
  if (image && (!image.ok || !isImageUrl(image.text))) return 'invalid_image_url';
  const replies = (template.quick_replies ?? []).flatMap((reply) => {
    const rendered = renderText(reply, scope);
    return rendered.ok ? asQuickReply(rendered.text.trim()) : [];
  });
  // A link expires; the message keeps the file.
  const file = image?.ok ? findByLink(scope.files, image.text) : undefined;
  return {
    text: text.text,
    ...(file ? { attachments: [file] } : image?.ok && { imageUrl: image.text }),
    ...(replies.length > 0 && { quickReplies: replies }),
  };
};

const isImageUrl = (url: string): boolean =>
  url.length <= messageLimits.url && URL.canParse(url) && /^https?:\/\//i.test(url);

/** A text as a quick reply shows it: nothing of what is empty; never half a surrogate pair. */
export const asQuickReply = (text: string): string[] =>
  text === '' ? [] : [text.slice(0, messageLimits.quickReply).replace(/[\ud800-\udbff]$/, '')];
