import { WebhookVerificationError } from './errors.ts';
import { getHeader, type RequestHeaders } from './request.ts';

type JsonObject = { readonly [name: string]: unknown };

type Contact = { contact_id: string; channel: string };
type Message = { id: string; text: string; direction: string };

/** What a message has beside its text. `GET /v1/media/{id}` has links to a file. */
type Attachment =
  | {
      type: 'image' | 'audio' | 'video' | 'file';
      id: string;
      name: string;
      content_type: string;
      /** In bytes. */
      size: number;
      width: number | null;
      height: number | null;
    }
  | { type: 'location'; latitude: number; longitude: number }
  | { type: 'contact'; name: string; phone: string };

/** The object that each event has besides its contact. */
type Nouns<MessageOfVariant extends Message> = {
  new_message: { message: MessageOfVariant };
  new_contact: unknown;
  tag_applied: { tag: JsonObject };
  flow_completed: { flow: JsonObject };
  order_placed: { order: JsonObject };
  order_status_changed: { order: JsonObject };
  handover_requested: { handover: JsonObject };
  conversation_closed: { conversation: JsonObject };
};

export type EventName = keyof Nouns<Message>;
type DashboardEventName = Exclude<EventName, 'conversation_closed'>;

/** Variant A, of a webhook registered by the API (specification 2.2). `timestamp` and `sent_at` are ISO 8601. */
export type ApiEnvelope = {
  [Name in EventName]: {
    id: string;
    event: Name;
    timestamp: string;
    data: Contact & Nouns<Message & { sent_at: string; attachments?: readonly Attachment[] }>[Name];
  };
}[EventName];

/** Variant B, of a webhook registered in the dashboard (specification 2.3). It is flat and has no id. */
export type DashboardEnvelope = {
  [Name in DashboardEventName]: { event: Name; timestamp: string } & Contact & Nouns<Message>[Name];
}[DashboardEventName];

/**
 * The content of a verified request. `id` is the same each time that a delivery comes. `unknown` is an event that is newer than this package:
 * answer 200, because otherwise the failures would disable a webhook that subscribes to `*`.
 */
export type Webhook =
  | { type: 'api'; id: string; envelope: ApiEnvelope }
  | { type: 'dashboard'; id: string; envelope: DashboardEnvelope }
  | { type: 'challenge'; challenge: string }
  | { type: 'unknown'; id: string; envelope: JsonObject };

const nounOf = new Map<string, string | undefined>(
  Object.entries({
    new_message: 'message',
    new_contact: undefined,
    tag_applied: 'tag',
    flow_completed: 'flow',
    order_placed: 'order',
    order_status_changed: 'order',
    handover_requested: 'handover',
    conversation_closed: 'conversation',
  } satisfies Record<EventName, string | undefined>),
);

/** Parses verified bytes. Throws `malformed_body` with the name of the field. */
export const parseWebhook = (bytes: Uint8Array, headers: RequestHeaders): Webhook => {
  const body = parseObject(bytes);
  if (typeof body.challenge === 'string' && body.event === undefined)
    return { type: 'challenge', challenge: body.challenge };
  const event = requireString(body, 'event');
  // Only variant A has an id in its body, where X-Service-Signature covers it.
  const id = typeof body.id === 'string' ? body.id : getHeader(headers, 'webhook-id');
  const type = body.data === undefined ? 'dashboard' : 'api';
  if (!nounOf.has(event) || (type === 'dashboard' && event === 'conversation_closed'))
    return { type: 'unknown', id, envelope: body };
  if (type === 'dashboard') {
    assertDashboardEnvelope(body, event);
    return { type, id, envelope: body };
  }
  assertApiEnvelope(body, event);
  return { type, id, envelope: body };
};

function assertApiEnvelope(body: JsonObject, event: string): asserts body is ApiEnvelope {
  requireString(body, 'id');
  requireString(body, 'timestamp');
  const data = requireObject(body, 'data');
  requirePayload(data, event, 'data.');
  if (event === 'new_message') requireString(requireObject(data, 'message', 'data.'), 'sent_at', 'data.message.');
}

function assertDashboardEnvelope(body: JsonObject, event: string): asserts body is DashboardEnvelope {
  requireString(body, 'timestamp');
  requirePayload(body, event);
}

const requirePayload = (payload: JsonObject, event: string, at = ''): void => {
  for (const name of ['contact_id', 'channel']) requireString(payload, name, at);
  const noun = nounOf.get(event);
  const object = noun === undefined ? undefined : requireObject(payload, noun, at);
  if (object && noun === 'message')
    for (const name of ['id', 'text', 'direction']) requireString(object, name, `${at}message.`);
};

const parseObject = (bytes: Uint8Array): JsonObject => {
  const body = parseJson(bytes);
  if (!isObject(body)) throw malformedBody('it is not a JSON object');
  return body;
};

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw malformedBody('it is not JSON in UTF-8', { cause });
  }
};

const requireString = (object: JsonObject, name: string, at = ''): string => {
  const value = object[name];
  if (typeof value !== 'string') throw malformedBody(`${at}${name} is not a string`);
  return value;
};

const requireObject = (object: JsonObject, name: string, at = ''): JsonObject => {
  const value = object[name];
  if (!isObject(value)) throw malformedBody(`${at}${name} is not an object`);
  return value;
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const malformedBody = (why: string, options?: { cause: unknown }): WebhookVerificationError =>
  new WebhookVerificationError(
    'malformed_body',
    `the signature is right, but the body is no webhook's: ${why}`,
    options,
  );
