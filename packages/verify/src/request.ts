import { WebhookVerificationError } from './errors.ts';

/** Node's `request.headers`, any plain object whatever the case of its names, or the `Headers` of Fetch. */
export type RequestHeaders =
  | { readonly [name: string]: string | readonly string[] | undefined }
  | { get: (name: string) => string | null };

export type WebhookRequest = {
  /** As it came: bytes, or the text that they are in UTF-8. Never JSON that was parsed and written again. */
  body: Uint8Array | ArrayBuffer | string;
  headers: RequestHeaders;
  /** One, or all that are valid while one replaces another. */
  secrets: string | readonly string[];
  /**
   * When given, the Standard Webhooks signature must be right, too, and made at most so many seconds before or after now.
   * It covers `webhook-id` and the time, so that a recorded request cannot be played back later. 300 is usual.
   */
  toleranceSeconds?: number;
};

/** The one value of a header, name in lower case; throws `missing_header`, or `malformed_header` when there are several. */
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
