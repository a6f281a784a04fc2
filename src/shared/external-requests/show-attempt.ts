import { keepHeaders } from '../platform/egress/kept-headers.ts';
import { isSecretName } from '../platform/secret-names.ts';
import type { MappedField } from './map-response.ts';
import { decode } from './response-source.ts';
import type { MadeAttempt } from './attempt-request.ts';
import type { Redactor } from './redact.ts';
import type { RenderedRequest, RequestProblem } from './render-request.ts';

/** As much of each body as is kept and shown, in bytes or a little more. */
const excerptLength = 16_384;

/** The most of one header, and of a value that was mapped, that is kept, in characters. */
const shortLength = 2_000;

/** An attempt as it is kept and shown: no secret is in it. */
export type ShownAttempt = {
  method: string;
  url: string;
  requestHeaders: Record<string, string>;
  requestBody: string | null;
  statusCode: number | null;
  responseHeaders: Record<string, string | string[]> | null;
  responseBody: string | null;
  responseTruncated: boolean;
  address: string | null;
  durationMs: number;
  reason: string | null;
  detail: string | null;
  fields: MappedField[];
};

/** Makes of an attempt what may be kept of it. */
export const showAttempt = (
  rendered: RenderedRequest,
  { result, outcome, mapped, unmet, redactor, holdsSecret }: Omit<MadeAttempt, 'type'>,
): ShownAttempt => {
  const response = result.response ?? null;
  const body = response && decode(response.body, response.headers['content-type']);
  return {
    ...showRequest(rendered, result.sent ?? { ...rendered, headers: Object.fromEntries(rendered.headers) }, {
      redactor,
      holdsSecret,
    }),
    statusCode: response && response.status,
    responseHeaders: response && showHeaders(response.headers, { redactor, holdsSecret }),
    responseBody: body === null ? null : redactor.excerpt(body, excerptLength),
    responseTruncated: (body?.length ?? 0) > excerptLength || (result.type === 'failed' && response !== null),
    address: result.address,
    durationMs: result.durationMs,
    reason: outcome.reason ?? null,
    detail:
      result.type === 'failed'
        ? redactor.excerpt(result.message, shortLength)
        : sayAnswered({ mapped, unmet, unreadable: result.unreadable }, redactor),
    fields: mapped.fields.map((field) => showField(field, redactor)),
  };
};

/** A request that could not be rendered: nothing was sent. */
export const showUnrendered = (
  { method, url }: { method: string; url: string },
  problem: RequestProblem,
): ShownAttempt => ({
  method,
  url,
  requestHeaders: {},
  requestBody: null,
  statusCode: null,
  responseHeaders: null,
  responseBody: null,
  responseTruncated: false,
  address: null,
  durationMs: 0,
  reason: 'invalid_request',
  detail: sayProblem(problem),
  fields: [],
});

const sayProblem = ({ place, message, position, path }: RequestProblem): string => {
  const at = position === undefined ? '' : ` at character ${position}`;
  const by = path ? ` by {{${path}}}` : '';
  return `${place}${at}${by}: ${message}`;
};

type Hiding = Pick<MadeAttempt, 'redactor' | 'holdsSecret'>;

type Sent = { method: string; url: string; headers: Record<string, string>; body: string | null };

const showRequest = (
  { markers }: RenderedRequest,
  { method, url, headers, body }: Sent,
  { redactor, holdsSecret }: Hiding,
) => {
  const { redact, excerpt } = redactor;
  const unmarked = (text: string): string =>
    Object.keys(markers).reduce((shown, marker) => shown.replaceAll(marker, '[redacted]'), text);
  const shownUrl = redact(unmarked(url));
  return {
    method,
    url: holdsSecret(shownUrl) ? '[redacted]' : shownUrl,
    requestHeaders: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        isSecretName(name) ? '[redacted]' : excerpt(unmarked(value), shortLength),
      ]),
    ),
    requestBody: body === null ? null : excerpt(unmarked(body), excerptLength),
  };
};

/** A request that has not been sent, as its log would show it. */
export const showRendered = (rendered: RenderedRequest, hiding: Hiding) =>
  showRequest(rendered, { ...rendered, headers: Object.fromEntries(rendered.headers) }, hiding);

const showHeaders = (
  headers: Readonly<Record<string, string | string[]>>,
  { redactor, holdsSecret }: Hiding,
): Record<string, string | string[]> => {
  const show = (value: string): string =>
    holdsSecret(redactor.redact(value)) ? '[redacted]' : redactor.excerpt(value, shortLength);
  return Object.fromEntries(
    Object.entries(keepHeaders(headers)).map(([name, value]) => {
      if (isSecretName(name)) return [name, '[redacted]'];
      return [name, Array.isArray(value) ? value.map(show) : show(value)];
    }),
  );
};

const sayAnswered = (
  { mapped, unmet, unreadable }: Pick<MadeAttempt, 'mapped' | 'unmet'> & { unreadable: string | undefined },
  redactor: Redactor,
): string | null => {
  if (unmet !== undefined) return redactor.excerpt(unmet, shortLength);
  return sayUnmapped(mapped.fields, redactor) ?? unreadable ?? null;
};

const sayUnmapped = (fields: readonly MappedField[], { excerpt }: Redactor): string | null => {
  const failed = fields.find((field) => field.outcome === 'failed');
  return failed?.outcome === 'failed' ? excerpt(`${failed.field} ${failed.problem}`, shortLength) : null;
};

/** A value that is long is shown as the beginning of its JSON. */
const showField = (field: MappedField, { redact, excerpt }: Redactor): MappedField => {
  if (field.outcome === 'failed') return { ...field, problem: redact(field.problem) };
  if (field.outcome !== 'set') return field;
  const json = JSON.stringify(field.value);
  const shown = redact(json);
  if (shown === json && json.length <= shortLength) return field;
  return { ...field, value: excerpt(json, shortLength) };
};
