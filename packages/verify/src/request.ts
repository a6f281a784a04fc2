import { WebhookVerificationError } from './errors.ts';

/** Node's `request.headers`, a plain object with names in any case, or the `Headers` of Fetch. */
export type RequestHeaders =
  | { readonly [name: string]: string | readonly string[] | undefined }
  | { get: (name: string) => string | null };

export type WebhookRequest = {
  /** The body as it came: its bytes, or their text in UTF-8. Never JSON that was parsed and serialised again. */
  body: Uint8Array | ArrayBuffer | string;
  headers: RequestHeaders;
  /** One secret, or all that are valid during a rotation. */
  secrets: string | readonly string[];
  /**
   * When given, the Standard Webhooks signature must be valid as well, and at most this many seconds older or newer than now. It covers
   * `webhook-id` and the time, so that a recorded request cannot be replayed later. 300 is usual.
   */
  toleranceSeconds?: number;
};

/** The only value of a header; `name` is in lower case. Throws `missing_header`, or `malformed_header` when there are several values. */
export const getHeader = (headers: RequestHeaders, name: string): string => {
  const [value, ...others] = valuesOf(headers, name);
  if (value === undefined || value === '') throw new WebhookVerificationError('missing_header', `no ${name} header`);
  if (others.length > 0) throw malformedHeader(name, 'it is there more than once');
  return value;
};

/** The first value of a header that may be missing. */
export const findHeader = (headers: RequestHeaders, name: string): string | undefined => valuesOf(headers, name)[0];

export const malformedHeader = (name: string, why: string): WebhookVerificationError =>
  new WebhookVerificationError('malformed_header', `${name} is malformed: ${why}`);

const valuesOf = (headers: RequestHeaders, name: string): readonly string[] => {
  if (isFetchHeaders(headers)) return [headers.get(name) ?? []].flat();
  return Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
};

const isFetchHeaders = (headers: RequestHeaders): headers is { get: (name: string) => string | null } =>
  typeof headers.get === 'function';
